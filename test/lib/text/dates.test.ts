import fc from "fast-check";
import { formatDate, isDate, parseDate } from "../../../lib/text/dates.js";

const FIRST = Date.parse("0000-01-01T00:00:00.000Z");
const LAST = Date.parse("9999-12-31T23:59:59.999Z");

describe("formatDate", () => {
  it("S4 writes milliseconds and Z, from a Date and from a number", () => {
    expect(formatDate(new Date(Date.UTC(2026, 10, 21, 9, 5, 7, 40)))).toBe("2026-11-21T09:05:07.040Z");
    expect(formatDate(0)).toBe("1970-01-01T00:00:00.000Z");
  });

  it.each([
    [FIRST - 1, false],
    [FIRST, true],
    [FIRST + 1, true],
    [LAST - 1, true],
    [LAST, true],
    [LAST + 1, false],
  ])("S4 writes %d only within the years 0000 to 9999", (instant, writable) => {
    if (writable) expect(formatDate(instant)).toHaveLength(24);
    else expect(() => formatDate(instant)).toThrow(RangeError);
  });

  it.each([[NaN], [Infinity], [-Infinity], [new Date(NaN)]])("refuses %p", (instant) => {
    expect(() => formatDate(instant)).toThrow(RangeError);
  });
});

describe("parseDate", () => {
  it("S4 reads what formatDate writes, and the order of texts is that of the instants", () => {
    const instants = fc.integer({ min: FIRST, max: LAST });
    fc.assert(
      fc.property(instants, instants, (a, b) => {
        expect(parseDate(formatDate(a))?.getTime()).toBe(a);
        expect(Math.sign(a - b)).toBe(formatDate(a) < formatDate(b) ? -1 : Number(formatDate(a) > formatDate(b)));
      }),
    );
  });

  it("S4 reads a leap day of a leap year only", () => {
    expect(parseDate("2024-02-29T00:00:00.000Z")?.getTime()).toBe(Date.UTC(2024, 1, 29));
    expect(parseDate("2023-02-29T00:00:00.000Z")).toBeUndefined();
    expect(parseDate("1900-02-29T00:00:00.000Z")).toBeUndefined();
    expect(parseDate("2000-02-29T00:00:00.000Z")).toBeDefined();
  });

  it.each([
    "",
    "2026-11-21",
    "2026-11-21T09:05:07.Z",
    "2026-11-21T09:05:07,04Z",
    "2026-11-21T09:05:07.040",
    "2026-11-21T09:05Z",
    "2026-11-21T09:05:07.1234567890123456789Z",
    "2026-11-21T09:05:07+0000",
    "2026-11-21T09:05:07+00",
    "2026-11-21T09:05:07+24:00",
    "2026-11-21T09:05:07+00:60",
    "2026-11-21T09:05:07\u221200:00",
    "2026-11-21 09:05:07.040Z",
    "0000-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01",
    "2026-11-21T23:59:60Z",
    "2026-06-30T23:59:60+00:00",
    "2026-11-21T24:00:00.000Z",
    "2026-11-21T23:59:60.000Z",
    "2026-11-21T23:60:00.000Z",
    "2026-13-01T00:00:00.000Z",
    "2026-00-01T00:00:00.000Z",
    "2026-11-00T00:00:00.000Z",
    "2026-11-31T00:00:00.000Z",
    "2026-02-30T00:00:00.000Z",
    "+002026-11-21T09:05:07.040Z",
    "-002026-11-21T09:05:07.040Z",
    "2026-11-21T09:05:07.040Z ",
    "2026-11-21T09:05:07.040Z\n",
    "２026-11-21T09:05:07.040Z",
  ])("S4 does not read %j", (text) => {
    expect(parseDate(text)).toBeUndefined();
  });

  it.each([
    ["2026-11-21T09:05:07Z", "2026-11-21T09:05:07.000Z"],
    ["2026-11-21T09:05:07.4Z", "2026-11-21T09:05:07.400Z"],
    ["2026-11-21T09:05:07.04099Z", "2026-11-21T09:05:07.040Z"],
    ["2026-11-21T09:05:07.123456789012345678Z", "2026-11-21T09:05:07.123Z"],
    ["1969-12-31T23:59:59.9999Z", "1969-12-31T23:59:59.999Z"],
    ["2026-11-21t09:05:07z", "2026-11-21T09:05:07.000Z"],
    ["2026-11-21T09:05:07+02:00", "2026-11-21T07:05:07.000Z"],
    ["2026-12-31T23:59:59.5-23:59", "2027-01-01T23:58:59.500Z"],
    ["2026-11-21T09:05:07-00:00", "2026-11-21T09:05:07.000Z"],
    ["0000-01-01T00:00:00-00:01", "0000-01-01T00:01:00.000Z"],
    ["9999-12-31T23:59:59.999+00:01", "9999-12-31T23:58:59.999Z"],
  ])("S4 reads %s as %s", (text, expected) => {
    const date = parseDate(text);
    expect(date && formatDate(date)).toBe(expected);
    expect(isDate(text)).toBe(true);
  });

  it("S4 reads what Date.parse reads, of every form of RFC 3339", () => {
    const two = (max: number) => fc.integer({ min: 0, max }).map((number) => String(number).padStart(2, "0"));
    const date = fc.date({ min: new Date("0001-01-01"), max: new Date("9999-01-01"), noInvalidDate: true });
    const fraction = fc.oneof(fc.constant(""), fc.stringMatching(/^\.[0-9]{1,18}$/));
    const zone = fc.oneof(
      fc.constantFrom("Z", "z"),
      fc
        .tuple(fc.constantFrom("+", "-"), two(23), two(59))
        .map(([sign, hours, minutes]) => `${sign}${hours}:${minutes}`),
    );
    fc.assert(
      fc.property(date, fraction, zone, (instant, digits, offset) => {
        const text = `${instant.toISOString().slice(0, 19)}${digits}${offset}`;
        // V8 rounds longer fractions wrongly
        const short = text.replace(/(\.\d{3})\d+/, "$1").toUpperCase();
        expect(parseDate(text)?.getTime()).toBe(Date.parse(short));
      }),
    );
  });

  it("never throws", () => {
    fc.assert(fc.property(fc.string(), (text) => parseDate(text) === undefined || isDate(text)));
  });
});

describe("isDate", () => {
  it("S4 tells a date text from everything else", () => {
    expect(isDate("2026-11-21T09:05:07.040Z")).toBe(true);
    expect(isDate("2026-11-31T09:05:07.040Z")).toBe(false);
    expect(isDate(0)).toBe(false);
    expect(isDate(new Date())).toBe(false);
    expect(isDate(undefined)).toBe(false);
  });
});
