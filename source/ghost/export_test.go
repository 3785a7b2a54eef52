package ghost

// CleanText is cleanText, for tests.
var CleanText = cleanText
