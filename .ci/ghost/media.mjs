// Small files of pictures, sounds and films, made here.
import zlib from "zlib";

function chunk(type, data) {
	const body = Buffer.concat([Buffer.from(type), data]);
	const size = Buffer.alloc(4), sum = Buffer.alloc(4);
	size.writeUInt32BE(data.length);
	sum.writeUInt32BE(zlib.crc32(body));
	return Buffer.concat([size, body, sum]);
}

// png draws a picture of one of six colors.
export function png(width, height, i) {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	header.set([8, 2, 0, 0, 0], 8);
	const color = [[75, 127, 43], [160, 120, 60], [40, 90, 140], [190, 170, 90], [120, 50, 70], [60, 60, 60]][i];
	const row = Buffer.alloc(1 + 3 * width);
	for (let x = 0; x < width; x++) {
		row.set(color.map((c) => Math.min(255, c + Math.floor((60 * x) / width))), 1 + 3 * x);
	}
	const rows = Buffer.concat(Array(height).fill(row));
	return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", header), chunk("IDAT", zlib.deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]);
}

// mp3 has four silent frames.
export function mp3() {
	const frame = Buffer.alloc(417);
	frame.set([0xff, 0xfb, 0x90, 0x00]);
	return Buffer.concat(Array(4).fill(frame));
}

// mp4 has the box by which the type of the file is known, and no film.
export function mp4() {
	return Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from("ftypisom\x00\x00\x02\x00isommp41", "latin1"), Buffer.from([0, 0, 0, 8]), Buffer.from("mdat")]);
}
