// The forms of a link: a QR code, code for another page, a picture that holds it. Loaded when it is first wanted.
import { correction, generate } from "lean-qr";
import { button, bytesOf, download, make, say, sentence, styles } from "./ui.ts";

/** Keyword of the PNG chunk that holds a link's fragment. */
const KEYWORD = "anticlock-link";
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Light modules around a QR code, as its standard asks for. */
const QUIET = 4;

/** A QR code as a canvas, `scale` pixels a module; null where the text is too long for one (2,953 bytes). */
export function qr(text: string, scale: number): HTMLCanvasElement | null {
  let code: ReturnType<typeof generate>;
  try {
    code = generate(text, { minCorrectionLevel: correction.L, maxCorrectionLevel: correction.M });
  } catch {
    return null;
  }
  const side = (code.size + 2 * QUIET) * scale;
  const canvas = make("canvas", "", { width: String(side), height: String(side), role: "img", "aria-label": "QR code of the link", class: "qr" });
  const pen = canvas.getContext("2d");
  if (pen === null) return null;
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, side, side);
  pen.fillStyle = "#000";
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) if (code.get(x, y)) pen.fillRect((x + QUIET) * scale, (y + QUIET) * scale, scale, scale);
  }
  return canvas;
}

/** Code that shows the link's program in another page. */
export function embedCode(link: string): string {
  const url = new URL(link);
  url.pathname = url.pathname.replace(/[^/]*$/, "embed.html");
  const source = url.href.replaceAll("&", "&amp;").replaceAll('"', "%22");
  return `<iframe src="${source}" width="640" height="480" allow="autoplay; fullscreen; gamepad" title="An Atari 8-bit computer"></iframe>`;
}

/** The CRC of a PNG chunk. */
function crc(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

/** A PNG file with a link's fragment in a text chunk, right after its header. */
export function withLink(png: Uint8Array, fragment: string): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(`tEXt${KEYWORD}\0${fragment}`);
  const chunk = new Uint8Array(text.length + 8);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, text.length - 4);
  chunk.set(text, 4);
  view.setUint32(text.length + 4, crc(text));
  // The header is always 13 bytes long.
  const at = SIGNATURE.length + 12 + 13;
  const made = new Uint8Array(png.length + chunk.length);
  made.set(png.subarray(0, at));
  made.set(chunk, at);
  made.set(png.subarray(at), at + chunk.length);
  return made;
}

/** The fragment of the link that a PNG file holds; `null` if it holds none. */
export function linkIn(png: Uint8Array): string | null {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  for (let at = SIGNATURE.length; at + 12 <= png.length; ) {
    const length = view.getUint32(at);
    if (at + 12 + length > png.length) return null;
    const chunk = new TextDecoder("latin1").decode(png.subarray(at + 4, at + 9 + KEYWORD.length));
    if (chunk === `tEXt${KEYWORD}\0`) {
      const isWhole = view.getUint32(at + 8 + length) === crc(png.subarray(at + 4, at + 8 + length));
      return isWhole ? new TextDecoder("latin1").decode(png.subarray(at + 9 + KEYWORD.length, at + 8 + length)) : null;
    }
    at += 12 + length;
  }
  return null;
}

/** The picture with the link in it, and beside it the QR code where the link fits into one. */
async function pictureOf(link: string, screen: Blob): Promise<Uint8Array<ArrayBuffer>> {
  const picture = await createImageBitmap(screen);
  const [width, height] = [picture.width * 2, picture.height * 2];
  const code = qr(link, 1);
  const side = code === null ? 0 : Math.max(height, 2 * code.width);
  const canvas = make("canvas", "", { width: String(width + side), height: String(Math.max(height, side)) });
  const pen = canvas.getContext("2d", { alpha: false });
  if (pen === null) throw new Error("this browser draws no canvas");
  pen.imageSmoothingEnabled = false;
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(picture, 0, 0, width, height);
  if (code !== null) {
    // Whole pixels a module: a camera reads no blurred ones.
    const large = code.width * Math.floor(side / code.width);
    pen.drawImage(code, width + Math.floor((side - large) / 2), Math.floor((canvas.height - large) / 2), large, large);
  }
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (blob === null) throw new Error("no picture could be made");
  return withLink(await bytesOf(blob), new URL(link).hash.slice(1));
}

/** Shows what the link can become. */
export function more(link: string, screen: () => Promise<Blob>, copy: (text: string) => Promise<boolean>): void {
  const dialog = make("dialog", "", { class: "share", "aria-labelledby": "share-title" });
  const told = make("p", "", { role: "status" });
  const field = (text: string, label: string, rows: number) => {
    const area = make("textarea", text, { readonly: "", rows: String(rows), "aria-label": label });
    area.addEventListener("focus", () => area.select());
    const row = make("div", "", { class: "buttons" });
    row.append(button(`Copy ${label.toLowerCase()}`, () => void copy(text).then((done) => {
      told.textContent = done ? `${label}: copied` : "There is no clipboard here: copy what is selected.";
      if (!done) area.select();
    })));
    return [make("h3", label), area, row];
  };
  const code = qr(link, 4);
  const picture = button("Download the picture", () => {
    screen()
      .then((blob) => pictureOf(link, blob))
      .then((bytes) => download("anticlock-link.png", bytes), (error) => say(sentence(error)));
  });
  const row = make("div", "", { class: "buttons" });
  row.append(picture);
  dialog.append(
    make("h2", "Share this", { id: "share-title" }),
    ...field(link, "Link", 3),
    make("h3", "QR code"),
    code ?? make("p", `The link has ${link.length} characters; a QR code takes 2,953.`),
    ...field(embedCode(link), "Code for your page", 3),
    make("h3", "A picture with the link in it"),
    make("p", "Drop it on this page, and it opens. A service that makes pictures smaller takes the link out of the file; the QR code beside the picture stays."),
    row,
    told,
    button("Close", () => dialog.close(), { class: "main" }),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  void styles().then(() => dialog.showModal());
}
