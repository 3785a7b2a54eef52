// Writes a line for each request that Ghost answers into requests.log in its folder.
const fs = require("fs");
const http = require("http");

const emit = http.Server.prototype.emit;
http.Server.prototype.emit = function (name, request, ...rest) {
	if (name === "request") {
		fs.appendFileSync("requests.log", `${request.method} ${request.url}\n`);
	}
	return emit.call(this, name, request, ...rest);
};
