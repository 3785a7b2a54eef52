# Third-party software

The Go modules that the programs and their tests are built from, and their licences. This page is made by

    go run github.com/google/go-licenses@v1.6.0 report ./... --include_tests --ignore ayna --template .ci/third_party.tpl >THIRD_PARTY.md

and a test fails if a module or its version is missing here. The texts of the licences come with the modules.
The licence of modernc.org/mathutil, which the tool does not recognize, is BSD-3-Clause.

| module or package | version | licence |
|---|---|---|
{{range .}}| {{.Name}} | {{.Version}} | {{.LicenseName}} |
{{end}}

## Embedded files

| file | from | licence |
|---|---|---|
| assets/serif.woff2, assets/serif-italic.woff2 | Source Serif 4.5.1, © 2014–2023 Adobe, cut down and renamed by assets/font/make.py | [OFL-1.1](assets/font/OFL.txt) |
| generator/site/locales.txt | Unicode CLDR 48.2, © 1991–2025 Unicode, cut down by generator/site/locales.py | [Unicode-3.0](generator/site/UNICODE-LICENSE.txt) |
