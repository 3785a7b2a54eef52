// Writes captures of an API, as a crawler of a dead service may have left them, with warcio:
// node write_captures.mjs DIR
import { WARCRecord, WARCSerializer } from "warcio";
import { writeFileSync } from "node:fs";
import { gzipSync, brotliCompressSync } from "node:zlib";
const dir = process.argv[2];
const enc = new TextEncoder();
async function record(url, date, body, { type = "response", headers = {}, status = "HTTP/1.1 200 OK", version = "WARC/1.1", refersToUrl, refersToDate } = {}) {
  const opts = { url, date, type, warcVersion: version, warcHeaders: {}, httpHeaders: { "Content-Type": "application/json; charset=utf-8", ...headers }, statusline: status, refersToUrl, refersToDate };
  if (type === "resource" || type === "warcinfo") { delete opts.httpHeaders; delete opts.statusline; opts.warcHeaders["Content-Type"] = "application/json"; }
  return WARCRecord.create(opts, (async function* () { yield typeof body === "string" ? enc.encode(body) : body; })());
}
const article = (id, title, more = {}) => JSON.stringify({ Id: String(id), ContentType: "Article", CreatedDate: "2017-03-0" + (id % 9 + 1) + "T08:00:00Z", ModifiedDate: "2017-03-09T08:00:00Z", Path: "/gundem/", Title: title, Url: "http://www.gazete.example/gundem/" + id, Description: "Kısa özet", ...more });
const chunked = (s) => { const b = enc.encode(s); return Buffer.concat([enc.encode(b.length.toString(16) + "\r\n"), b, enc.encode("\r\n0\r\n\r\n")]); };
const api = "https://api.gazete.example/v1";
const records = [
  await WARCRecord.createWARCInfo({ filename: "remains.warc.gz", warcVersion: "WARC/1.1" }, { software: "warcio" }),
  await record(api + "/articles?$top=50&apikey=0123456789abcdef0123", "2017-03-10T10:00:00Z", "[" + [1, 2, 3].map((i) => article(i, "Liste haberi " + i)).join(",") + "]"),
  await record(api + "/articles/1", "2018-01-01T10:00:00Z", article(1, "İkinci başlık", { Text: "<p>Metnin yeni hali, <b>uzun</b> bir paragraf.</p>", Files: [{ FileUrl: "http://img.gazete.example/1.png", Metadata: { Title: "Resim", Description: "Bir resim" } }] })),
  await record(api + "/articles/1", "2017-03-11T10:00:00Z", article(1, "Birinci başlık", { Text: "<p>Metnin ilk hali, <b>uzun</b> bir paragraf.</p>" })),
  await record(api + "/articles/2", "2017-04-01T10:00:00Z", gzipSync(article(2, "Gzip ile gelen", { Text: "<p>gzip</p>" })), { headers: { "Content-Encoding": "gzip" } }),
  await record(api + "/articles/4", "2017-04-01T10:00:00Z", brotliCompressSync(article(4, "Brotli ile gelen", { Text: "<p>br</p>" })), { headers: { "Content-Encoding": "br" } }),
  await record(api + "/articles/5", "2017-04-01T10:00:00Z", chunked(article(5, "Parçalı gelen", { Text: "<p>chunked</p>" })), { headers: { "Transfer-Encoding": "chunked" } }),
  await record(api + "/columns/9", "2017-04-01T10:00:00Z", JSON.stringify({ Id: "9", ContentType: "Column", Fullname: "Elif Su", Title: "Köşe yazısı", Path: "/yazarlar/elif-su/", CreatedDate: "2017-03-01T00:00:00Z", Text: "<p>Köşe</p>", Url: "http://www.gazete.example/yazarlar/9" }), { version: "WARC/1.0" }),
  await record("http://img.gazete.example/1.png", "2017-04-01T10:00:00Z", Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64"), { headers: { "Content-Type": "image/png" } }),
  await record(api + "/articles/6", "2017-04-01T10:00:00Z", "<!doctype html><h1>Rate limit</h1>", { headers: { "Content-Type": "text/html" } }),
  await record(api + "/articles/7", "2017-04-01T10:00:00Z", '{"Message":"yok"}', { status: "HTTP/1.1 404 Not Found" }),
  await record("http://www.gazete.example/", "2017-04-01T10:00:00Z", "<html>", { headers: { "Content-Type": "text/html" } }),
  await record(api + "/articles/1", "2017-05-01T10:00:00Z", "", { type: "revisit", refersToUrl: api + "/articles/1", refersToDate: "2017-03-11T10:00:00Z" }),
];
const parts = [];
for (const r of records) for await (const chunk of new WARCSerializer(r, { gzip: true })) parts.push(chunk);
writeFileSync(dir + "/remains.warc.gz", Buffer.concat(parts));
