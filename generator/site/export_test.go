package site

// ReadWordsIn is [ReadWords] with other built-in files.
var ReadWordsIn = readWords
