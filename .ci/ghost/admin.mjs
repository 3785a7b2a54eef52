// The Admin API of a Ghost that start has started.
import fs from "fs";
import path from "path";

const email = "ayse@zeytin.example", password = "zeytin-agaci-1923";

export class Admin {
	constructor(dir, address) {
		this.dir = dir;
		this.address = address ?? fs.readFileSync(path.join(dir, "address"), "utf8").trim();
		this.session = path.join(dir, "session");
		this.cookie = fs.existsSync(this.session) ? fs.readFileSync(this.session, "utf8") : "";
	}

	async send(method, route, body) {
		const headers = { Origin: this.address, Cookie: this.cookie };
		if (body && !(body instanceof FormData)) {
			headers["Content-Type"] = "application/json";
			body = JSON.stringify(body);
		}
		const answer = await fetch(`${this.address}/ghost/api/admin${route}`, { method, headers, body });
		const text = await answer.text();
		if (!answer.ok) {
			throw new Error(`${method} ${route}: ${answer.status} ${text.slice(0, 500)}`);
		}
		const cookie = answer.headers.get("set-cookie");
		if (cookie) {
			this.cookie = cookie.split(";")[0];
			fs.writeFileSync(this.session, this.cookie);
		}
		return text.startsWith("{") ? JSON.parse(text) : {};
	}

	async setUp(title) {
		await this.send("POST", "/authentication/setup/", { setup: [{ name: "Ayşe Öztürk", email, password, blogTitle: title }] });
		await this.send("POST", "/session/", { username: email, password });
	}

	async upload(kind, name, bytes, type, fields = {}) {
		const form = new FormData();
		form.append("file", new File([bytes], name, { type }));
		for (const key in fields) {
			form.append(key, fields[key]);
		}
		const answer = await this.send("POST", `/${kind}/upload/`, form);
		return answer[kind][0];
	}

	async change(kind, id, edit) {
		const before = (await this.send("GET", `/${kind}/${id}/`))[kind][0];
		const fields = { ...edit };
		if (before.updated_at) {
			fields.updated_at = before.updated_at;
		}
		return (await this.send("PUT", `/${kind}/${id}/`, { [kind]: [fields] }))[kind][0];
	}
}
