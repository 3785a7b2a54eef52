// Runs code as an editor of a Ghost that start has started, and prints what it returns as
// JSON: node run.mjs DIR CODE. The code has admin, see admin.mjs.
import { Admin } from "./admin.mjs";

const [dir, code] = process.argv.slice(2);
const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
console.log(JSON.stringify((await new AsyncFunction("admin", code)(new Admin(dir))) ?? null));
