import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** Colours of a palette; a screen without photographs has few more, and those are next to others. */
const COLOURS_MAX = 256;

/** Colours that are no further apart than this look the same; the quiet shades of the studio are further apart. */
const ALIKE = 48;

/** Eight bytes that every PNG begins with. */
const SIGNATURE_BYTES = 8;

/**
 * The same picture with a palette in place of three bytes for each point, about half as long. A colour that has no
 * place of its own becomes the nearest one. Takes what a browser's screenshot is: 8-bit RGB, not interlaced.
 *
 * @throws Error for another kind of PNG.
 */
export function toPalettePng(png: Buffer): Buffer {
  const { header, data } = readChunks(png);
  const [depth, kind, , , interlace] = header.subarray(SIGNATURE_BYTES);
  if (depth !== 8 || kind !== 2 || interlace !== 0) throw new Error('The picture is not 8-bit RGB.');
  const width = header.readUInt32BE(0);
  const colours = readColours(inflateSync(data), width);
  const palette = choosePalette(colours);
  const rows = encodeRows(colours, width, palette);
  header.writeUInt8(3, SIGNATURE_BYTES + 1);
  const table = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const parts = { IHDR: header, PLTE: table, IDAT: deflateSync(rows, { level: 9 }), IEND: Buffer.alloc(0) };
  const chunks = Object.entries(parts).map(([name, bytes]) => writeChunk(name, bytes));
  return Buffer.concat([png.subarray(0, SIGNATURE_BYTES), ...chunks]);
}

function readChunks(png: Buffer): { header: Buffer; data: Buffer } {
  const found: Record<string, Buffer[]> = { IHDR: [], IDAT: [] };
  for (let at = SIGNATURE_BYTES; at < png.length; ) {
    const length = png.readUInt32BE(at);
    found[png.toString('latin1', at + 4, at + 8)]?.push(png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const { IHDR: [header] = [], IDAT: data = [] } = found;
  if (header === undefined) throw new Error('The picture has no header.');
  return { header: Buffer.from(header), data: Buffer.concat(data) };
}

function writeChunk(name: string, bytes: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), bytes]);
  const [before, after] = [Buffer.alloc(4), Buffer.alloc(4)];
  before.writeUInt32BE(bytes.length);
  after.writeUInt32BE(crc32(body));
  return Buffer.concat([before, body, after]);
}

/** Undoes the filter of each line; gives a number for each point. */
function readColours(lines: Buffer, width: number): Uint32Array {
  const stride = width * 3;
  const height = lines.length / (stride + 1);
  const colours = new Uint32Array(width * height);
  let above = new Uint8Array(stride);
  for (let y = 0; y < height; y += 1) {
    const start = y * (stride + 1);
    const line = Uint8Array.from(lines.subarray(start + 1, start + 1 + stride));
    for (let x = 0; x < stride; x += 1) {
      const [left, up, corner] = [line[x - 3] ?? 0, above[x] ?? 0, above[x - 3] ?? 0];
      line[x] = (line[x] ?? 0) + predict(lines[start] ?? 0, { left, up, corner });
    }
    for (let x = 0; x < width; x += 1)
      colours[y * width + x] = ((line[x * 3] ?? 0) << 16) | ((line[x * 3 + 1] ?? 0) << 8) | (line[x * 3 + 2] ?? 0);
    above = line;
  }
  return colours;
}

/** What the PNG standard's filters foretell of a byte by those before it. */
function predict(filter: number, { left, up, corner }: { left: number; up: number; corner: number }): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/** The most frequent colours, each of them clearly another: the rims of letters leave room for the colour of a small mark. */
function choosePalette(colours: Uint32Array): number[] {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const chosen: number[] = [];
  for (const [colour] of [...counts].sort(([, a], [, b]) => b - a)) {
    if (chosen.length === COLOURS_MAX) break;
    if (chosen.every((each) => distanceOf(colour, each) > ALIKE)) chosen.push(colour);
  }
  return chosen;
}

function encodeRows(colours: Uint32Array, width: number, palette: readonly number[]): Buffer {
  const places = new Map(palette.map((colour, place) => [colour, place]));
  const placeOf = (colour: number): number => {
    const known = places.get(colour) ?? findNearest(colour, palette);
    places.set(colour, known);
    return known;
  };
  const rows = Buffer.alloc((colours.length / width) * (width + 1));
  for (const [at, colour] of colours.entries()) rows[at + Math.floor(at / width) + 1] = placeOf(colour);
  return rows;
}

function findNearest(colour: number, palette: readonly number[]): number {
  const distances = palette.map((each) => distanceOf(colour, each));
  return distances.indexOf(Math.min(...distances));
}

/** The sum of the squares of what red, green and blue differ by. */
function distanceOf(one: number, other: number): number {
  return [16, 8, 0].reduce((sum, shift) => sum + (((one >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);
}
