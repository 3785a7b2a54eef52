// Compares records.parquet, records.csv and records.jsonl in a directory, as DuckDB and
// hyparquet read them: node read_tables.mjs DIR [sample]
import assert from 'node:assert/strict'
import { DuckDBInstance } from '@duckdb/node-api'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'

const [dir, sample] = process.argv.slice(2)
const db = await (await DuckDBInstance.create(':memory:')).connect()
const rows = async sql => (await db.runAndReadAll(sql)).getRowObjectsJson()
const one = async sql => Object.values((await rows(sql))[0])[0]

await db.run(`CREATE VIEW parquet AS SELECT * FROM '${dir}/records.parquet'`)
await db.run(`CREATE VIEW csv AS SELECT * FROM read_csv('${dir}/records.csv', all_varchar = true, header = true, max_line_size = 100000000, parallel = false)`)
await db.run(`CREATE VIEW jsonl AS SELECT * FROM read_json('${dir}/records.jsonl', format = 'newline_delimited', maximum_object_size = 300000000,
	columns = {kind: 'VARCHAR', id: 'VARCHAR', hash: 'VARCHAR', seen: 'TIMESTAMPTZ', vanished: 'TIMESTAMPTZ', list: 'JSON', single: 'JSON'})`)

// The types.
const types = Object.fromEntries((await rows('DESCRIBE parquet')).map(c => [c.column_name, c.column_type]))
for (const [name, type] of Object.entries({
	id: 'VARCHAR', text: 'VARCHAR', published: 'TIMESTAMP WITH TIME ZONE', gone: 'TIMESTAMP WITH TIME ZONE', words: 'INTEGER', tags: 'VARCHAR[]',
	writers: 'STRUCT(id VARCHAR, "name" VARCHAR)[]', related: 'STRUCT(id VARCHAR, title VARCHAR, url VARCHAR)[]',
})) assert.equal(types[name], type, name)
const described = await rows(`SELECT decode(key) AS key, decode(value) AS value FROM parquet_kv_metadata('${dir}/records.parquet') WHERE decode(key) LIKE 'column.%'`)
assert.deepEqual(described.map(d => d.key).sort(), Object.keys(types).map(name => 'column.' + name).sort())

// The same rows in all three files.
const count = Number(await one('SELECT count(*) FROM parquet'))
assert.ok(count > 0)
for (const other of ['csv', 'jsonl']) assert.equal(Number(await one(`SELECT count(*) FROM ${other}`)), count, other)
assert.equal(Number(await one('SELECT count(*) FROM parquet JOIN jsonl USING (kind, id) WHERE sha256 = hash AND parquet.seen = jsonl.seen AND gone IS NOT DISTINCT FROM vanished')), count)
const asCell = name => {
	switch (types[name]) {
	case 'VARCHAR': return name
	case 'VARCHAR[]': return `array_to_string(${name}, ' | ')`
	case 'TIMESTAMP WITH TIME ZONE': return name
	case 'INTEGER': return `${name}::VARCHAR`
	}
	return `array_to_string(list_transform(${name}, x -> x.${name === 'writers' ? 'name' : 'id'}), ' | ')`
}
const unlike = Object.keys(types).map(name => {
	if (types[name].startsWith('TIMESTAMP')) return `p.${name} IS DISTINCT FROM c.${name}::TIMESTAMPTZ`
	// An apostrophe keeps spreadsheets from reading a formula.
	return `regexp_replace(coalesce(p.cell_${name}, ''), '^([=+@\\t\\r-])', '''\\1') IS DISTINCT FROM coalesce(c.${name}, '')`
})
await db.run(`CREATE VIEW cells AS SELECT *, ${Object.keys(types).map(name => `${asCell(name)} AS cell_${name}`)} FROM parquet`)
for (const [i, name] of Object.keys(types).entries()) {
	const found = await rows(`SELECT p.kind, p.id, p.cell_${name} AS parquet, c.${name} AS csv FROM cells p JOIN csv c USING (kind, id) WHERE ${unlike[i]} LIMIT 1`)
	assert.deepEqual(found, [], name)
}

// Another reader sees the same.
const file = await asyncBufferFromFile(`${dir}/records.parquet`)
const read = await parquetReadObjects({ file, compressors, rowEnd: 2000 })
const same = await rows('SELECT kind, id, title, text, markdown, words, tags, writers, epoch_ms(published)::VARCHAR AS published FROM parquet LIMIT 2000')
for (const [i, row] of same.entries()) {
	const { kind, id, title, text, markdown, words, tags, writers, published } = read[i]
	assert.deepEqual({ kind, id, title: title ?? null, text: text ?? null, markdown: markdown ?? null, words, tags, writers, published: published ? String(published.getTime()) : null }, row)
}

if (sample) {
	const [storm] = await rows(`SELECT title, text, words, tags, published::VARCHAR AS published, len(related) AS related FROM parquet WHERE id = '41010101'`)
	assert.equal(storm.title, `Lodos İnceada'yı iki gün anakaradan ayırdı`)
	assert.match(storm.text, /^Pazartesi gecesi başlayan lodos, İnceada ile Akçaliman arasındaki/)
	assert.deepEqual([storm.words, storm.tags, storm.related], [229, ['İnceada', 'Ulaşım', 'Deniz', 'fırtına'], '2'])
	assert.match(storm.published, /^2026-01-07 15:52:00/)
}
const [sums] = await rows('SELECT sum(words) AS words, sum(pictures) AS pictures, count(DISTINCT path) AS folders FROM parquet')
console.log(`${count} records, ${sums.words} words, ${sums.pictures} pictures in ${sums.folders} folders: parquet, csv and jsonl agree`)
