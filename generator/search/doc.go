// Package search makes the index that the search page of a site loads. It takes a
// [story.Reader] of an arranged site and yields an [output.File] for each file of the index.
// The scripts search*.js of package assets read it.
//
// Begin with [Renderer.Files], in search.go. segment.go makes the files of a segment,
// contents.go and days.go have what it is made of. Package analysis finds the words of texts, stem.go
// their stems, collector.go collects and terms.go encodes the items of a term, divide.go divides
// the terms into files, and items.go makes what the results show. words.go collects the words of
// all segments, and dictionary.go divides them into files.
//
// # Files
//
// The index needs no server: each of its files is a line ayna("NAME", …); that calls a function
// with data, and a query loads the few it needs. The file NAME is index.NAME.js beside the page.
//
// Items are numbered from the oldest one, which has number 0. A segment is a run of numbers: of
// 5,000 or 1,000 items, always the most that are there and are not more than all before it; then
// one of as many times 200 as there are, and one of the rest. So files of old items do not change
// when new ones are published, and an edit changes the files of 5,000 items at most.
//
//	""           the catalog: segments, filters, the table of folded letters
//	words        the version of the dictionary; for each of its blocks, where it begins and its
//	             version, as FIRST:VERSION|; the same for the reversed dictionary
//	words/5      the version of block 5, and its records
//	reversed/5   the same, of words with their letters in reverse order
//	3            the version of segment 3; where each of its files of terms begins, joined by |;
//	             their sizes, a digit for 256 bytes
//	3/17         the version of segment 3, and the entries of its file of terms 17, joined by |
//	3/days       the version of segment 3, and the days of its items
//	items/17     the items of file 17: JSON in DEFLATE (RFC 1951) in base64
//
// Versions are asked for in addresses, so that no cache answers with an older file. If a file
// has another one, a site was published meanwhile, and the page begins again.
//
// # Entries
//
// All orders are those of UTF-16 units, as JavaScript has them. Numbers are written in 64
// characters, five bits to a character, the lowest first; the sixth bit says that more follow. A
// list of positions has the distance of each from the one before, less one, or, after "!", a bit
// for each position, six to a character.
//
// An entry is a group of words with the same stem: "STEM TITLE SPOT TEXT" has the items with any
// of them, by the best field. If the stem is not the only word, ";" follows it, and an entry for
// each word comes after it: "!", a letter for the number of units that it shares with the stem
// (A is 0), the rest, and ":" with a list of its items, or "~" with a list of the others, or
// nothing if all have it. Here items are numbered within the group. At the begin of a file,
// the stem stands before "!".
//
// Words of scripts without blanks are pairs of neighbouring letters, and the last letter of each
// run; they and words with digits are their own stems. A beginning of three letters, or one of
// these scripts, whose entries have more than 6,000 bytes, has an entry of its own, "kar*". Filters
// are entries, too: "=f" and a key for a folder, "=w" for a writer, "=k" and a kind, "=p" and a
// hash of two neighbouring words of a line.
//
// A record of the dictionary is a sign for the number of items (| less than 3, ! 10, # 100, $
// more), the letter for what the word shares with the one before, the rest, and, unless the word
// is its own stem, the same for each stem. Spellings that fold to one word may have several.
//
// # Bounds
//
// A page of ten results for three words loads 300 KB at most: the catalog 26,000 bytes, a block
// of the dictionary 6,000, or with more than twelve million bytes of words more, and 250,000 for
// heads, files of terms of 8,000 bytes or one entry, and items of at most 16,100 bytes a file.
package search
