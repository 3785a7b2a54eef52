// Fills an empty Ghost with a paper: node fill.mjs DIR ADDRESS. A post for each card of the
// editor, posts for members, pages, tags and plain posts; all words are invented.
import { Admin } from "./admin.mjs";
import { mp3, mp4, png } from "./media.mjs";

const admin = new Admin(process.argv[2], process.argv[3]);
await admin.setUp("Zeytin Postası");
for (const post of (await admin.send("GET", "/posts/")).posts) {
	await admin.send("DELETE", `/posts/${post.id}/`); // a sample
}
await admin.send("PUT", "/settings/", {
	settings: [
		{ key: "description", value: "Zeytin üreticisinin gazetesi" },
		{ key: "locale", value: "tr" },
		{ key: "timezone", value: "Europe/Istanbul" },
		{ key: "accent_color", value: "#4b7f2b" },
		{ key: "outbound_link_tagging", value: true },
		{ key: "navigation", value: JSON.stringify([{ label: "Ekonomi", url: "/tag/ekonomi/" }, { label: "Spor", url: "/tag/spor/" }]) },
	],
});

const pictures = [];
for (let i = 0; i < 6; i++) {
	pictures.push((await admin.upload("images", `resim-${i}.png`, png(1600, 900, i), "image/png")).url);
}
await admin.send("PUT", "/settings/", { settings: [{ key: "logo", value: pictures[4] }, { key: "icon", value: (await admin.upload("images", "simge.png", png(256, 256, 3), "image/png", { purpose: "icon" })).url }] });
const me = (await admin.send("GET", "/users/me/")).users[0];
await admin.send("PUT", `/users/${me.id}/`, { users: [{ ...me, bio: "Zeytin yazar.", profile_image: pictures[5], roles: undefined }] });
const video = (await admin.upload("media", "hasat.mp4", mp4(), "video/mp4")).url;
const sound = (await admin.upload("media", "ruzgar.mp3", mp3(), "audio/mpeg")).url;
const report = (await admin.upload("files", "rapor.pdf", Buffer.from("%PDF-1.4\n"), "application/pdf")).url;

const sentence = "Zeytin ağaçları bu yıl erken çiçek açtı; üreticiler hasadın Kasım sonuna kadar süreceğini söylüyor. ";
const text = (words) => ({ type: "text", version: 1, text: words, detail: 0, format: 0, mode: "normal", style: "" });
const paragraph = (words) => ({ type: "paragraph", version: 1, direction: "ltr", format: "", indent: 0, children: [text(words)] });
const lexical = (nodes) => JSON.stringify({ root: { type: "root", version: 1, direction: "ltr", format: "", indent: 0, children: nodes } });
const card = (type, fields) => ({ type, version: 1, ...fields });
const shown = (i) => ({ src: pictures[i], width: 1600, height: 900, alt: `resim ${i}` });

const cards = {
	image: card("image", { ...shown(0), caption: "Bir <b>resim</b> altı", cardWidth: "wide", href: "" }),
	gallery: card("gallery", { images: [0, 1, 2, 3, 4, 5].map((i) => ({ ...shown(i), row: Math.floor(i / 3), fileName: `resim-${i}.png` })), caption: "Zeytin hasadı" }),
	embed: card("embed", { url: "https://film.example/izle?v=hasat01", embedType: "video", html: '<iframe width="200" height="113" src="https://film.example/embed/hasat01?feature=oembed" frameborder="0" allowfullscreen title="Bir film"></iframe>', metadata: {}, caption: "bir film" }),
	tweet: card("embed", { url: "https://twitter.com/x/status/1", embedType: "twitter", html: '<blockquote class="twitter-tweet"><p>kısa söz</p><a href="https://twitter.com/x/status/1">x</a></blockquote><script async src="https://platform.twitter.com/widgets.js"></script>', metadata: {}, caption: "" }),
	bookmark: card("bookmark", { url: "https://example.com/yazi", metadata: { icon: pictures[1], title: "Örnek yazı", description: "Bir açıklama", author: "Ada", publisher: "Örnek Yayın", thumbnail: pictures[2] }, caption: "yer imi" }),
	callout: card("callout", { calloutText: "<b>Dikkat:</b> bir not", calloutEmoji: "💡", backgroundColor: "blue" }),
	toggle: card("toggle", { heading: "Aç kapa", content: "<p>açılan metin</p>" }),
	video: card("video", { src: video, fileName: "hasat.mp4", mimeType: "video/mp4", width: 640, height: 360, duration: 12, thumbnailSrc: pictures[1], customThumbnailSrc: "", thumbnailWidth: 640, thumbnailHeight: 360, cardWidth: "regular", loop: false, caption: "hasat filmi" }),
	audio: card("audio", { src: sound, title: "Rüzgâr sesi", duration: 30, mimeType: "audio/mpeg", thumbnailSrc: "" }),
	file: card("file", { src: report, fileTitle: "Hasat raporu", fileName: "rapor.pdf", fileCaption: "resmî rapor", fileSize: 1024 }),
	html: card("html", { html: '<div onclick="alert(1)"><script>document.title="kirli"</script><table><tr><td>hücre</td></tr></table></div>' }),
	markdown: card("markdown", { markdown: "## Başlık\n\n- bir\n- iki\n\n| x | y |\n|---|---|\n| 1 | 2 |" }),
	codeblock: card("codeblock", { code: "x := 1 // < 2", language: "go", caption: "kod" }),
	button: card("button", { buttonUrl: "https://example.com/al?a=1", buttonText: "Satın al", alignment: "center" }),
	product: card("product", { productImageSrc: pictures[2], productImageWidth: 100, productImageHeight: 100, productTitle: "Kitap", productDescription: "<p>iyi bir kitap</p>", productRatingEnabled: true, productStarRating: 4, productButtonEnabled: true, productButton: "Al", productUrl: "https://example.com/k" }),
	header: { ...card("header", { size: "small", style: "dark", header: "Büyük başlık", subheader: "alt başlık", buttonEnabled: true, buttonUrl: "https://example.com/git", buttonText: "Git", backgroundColor: "#000000", textColor: "#FFFFFF", buttonColor: "#ffffff", buttonTextColor: "#000000", alignment: "center", layout: "regular", backgroundImageSrc: "" }), version: 2 },
	signup: card("signup", { alignment: "left", backgroundColor: "#F0F0F0", buttonColor: "accent", buttonText: "Abone", header: "Katıl", layout: "wide", subheader: "", disclaimer: "", labels: [], textColor: "#000000", buttonTextColor: "#ffffff", successMessage: "tamam" }),
	horizontalrule: card("horizontalrule", {}),
	"call-to-action": card("call-to-action", { layout: "minimal", textValue: "<p>Bir çağrı</p>", showButton: true, buttonText: "Oku", buttonUrl: "https://example.com/oku", buttonColor: "#000000", buttonTextColor: "#ffffff", hasSponsorLabel: true, sponsorLabel: "<p>DESTEK</p>", backgroundColor: "grey", imageUrl: "", visibility: undefined }),
};

const tags = ["Ekonomi", "Spor", "Kültür", "#gizli"];
let number = 0;
async function add(kind, fields, nodes) {
	const i = number++;
	const day = new Date(Date.UTC(2026, 0, 1 + 2 * i, 9, 30)).toISOString();
	const body = {
		status: "published", published_at: day, custom_excerpt: `Kısa özet: ${fields.title}`, feature_image: pictures[i % 6], feature_image_alt: "zeytinlik",
		feature_image_caption: "Foto: <i>ajans</i>", tags: kind === "posts" ? [{ name: tags[i % 3] }, { name: tags[(i + 1) % 3] }, { name: "#gizli" }].slice(0, 1 + (i % 3)) : undefined,
		lexical: lexical(nodes), ...fields,
	};
	return (await admin.send("POST", `/${kind}/`, { [kind]: [body] }))[kind][0];
}

const plain = [paragraph(sentence.repeat(3)), paragraph(sentence)];
for (const name in cards) {
	await add("posts", { title: `Kart ${name}` }, [paragraph(sentence.repeat(2)), cards[name], paragraph(sentence)]);
}
for (let i = 1; i <= 12; i++) {
	await add("posts", { title: `Haber ${i}` }, plain);
}
const secret = paragraph("Yalnız üyeler bunu okur. " + sentence);
await add("posts", { title: "Üyelere özel", visibility: "members", custom_excerpt: null }, [secret]);
await add("posts", { title: "Üyelere özel, girişi açık", visibility: "members", custom_excerpt: null }, [paragraph("Bunu herkes okur. " + sentence), card("paywall", {}), secret]);
await add("posts", { title: "Ödeyenlere", visibility: "paid" }, [secret]);
await add("posts", { title: "Taslak", status: "draft" }, plain);
await add("posts", { title: "Yarın", status: "scheduled", published_at: new Date(Date.now() + 864e5).toISOString() }, plain);
await add("pages", { title: "Hakkımızda", custom_excerpt: null }, plain);
await add("pages", { title: "Künye", custom_excerpt: null }, plain);
