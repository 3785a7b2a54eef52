// Reads an unpacked WACZ file with warcio and js-wacz: every record has the digest that
// it states and an id of its own, and the index is the one that js-wacz makes.
//
//	node read_wacz.mjs FOLDER
import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { WARCParser } from "warcio";
import index from "./node_modules/@harvard-lil/js-wacz/workers/indexWARC.js";

const folder = process.argv[2];
const faults = [];
const sha256 = (content) => "sha256:" + createHash("sha256").update(content).digest("hex");

const filename = folder + "/archive/data.warc.gz";
const counts = {};
const ids = new Set();
for await (const record of new WARCParser(createReadStream(filename))) {
  counts[record.warcType] = (counts[record.warcType] ?? 0) + 1;
  ids.add(record.warcHeader("WARC-Record-ID"));
  await record.readFully(false);
  if (record.warcType !== "revisit" && record.warcPayloadDigest !== sha256(record.payload ?? ""))
    faults.push(`${record.warcTargetURI} does not have its digest`);
}
const records = Object.values(counts).reduce((sum, n) => sum + n, 0);
if (ids.size !== records) faults.push(`${records} records have ${ids.size} ids`);

const ours = gunzipSync(readFileSync(folder + "/indexes/index.cdx.gz")).toString();
const { cdx } = await index({ filename, detectPages: false });
if (cdx.sort((a, b) => (a < b ? -1 : 1)).join("") !== ours) faults.push("the index is not the one of js-wacz");

const { resources } = JSON.parse(readFileSync(folder + "/datapackage.json"));
for (const { path, hash } of resources)
  if (sha256(readFileSync(`${folder}/${path}`)) !== hash) faults.push(`${path} does not have the hash of the data package`);

console.log(counts, `${cdx.length} lines of index, ${resources.length} files`);
for (const fault of faults.slice(0, 20)) console.log(fault);
process.exit(faults.length ? 1 : 0);
