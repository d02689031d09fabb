import { findFramingFault } from "../../../lib/faults/body-framing.js";

function causesOf(httpVersion: string, ...rawHeaders: string[]): readonly string[] | undefined {
  const fault = findFramingFault({ httpVersion, rawHeaders });
  if (fault) expect(fault[0]).toBe("E0009000");
  return fault?.[1].causes;
}

describe("findFramingFault", () => {
  it.each([
    [[]],
    [["Content-Length", "0"]],
    [["Content-Length", "7"]],
    [["content-length", "007"]],
    [["CONTENT-LENGTH", "18446744073709551616"]],
    [["Transfer-Encoding", "chunked"]],
    [["Transfer-Encoding", "Chunked"]],
  ])("V3 finds nothing in %j", (rawHeaders) => {
    expect(causesOf("1.1", ...rawHeaders)).toBeUndefined();
  });

  it.each(["", "+7", "-1", "abc", "0x7", "7,7", "7, 7", "7, 8", "1e3", "7.0", " 7", "7 ", "٧"])(
    "V3 finds that Content-Length %j is no length",
    (value) => {
      expect(causesOf("1.1", "Content-Length", value)).toEqual([
        `Content-Length is "${value}"; send one decimal number.`,
      ]);
    },
  );

  it("V3 finds two lines, the same or not", () => {
    expect(causesOf("1.1", "Content-Length", "7", "content-length", "8")).toEqual([
      'Content-Length comes 2 times: "7", "8"; send one.',
    ]);
    expect(causesOf("1.1", "Content-Length", "7", "Content-Length", "7")).toHaveLength(1);
  });

  it("V3 finds a length beside a transfer coding, whatever the two are", () => {
    const cause = "Content-Length and Transfer-Encoding come together; send one of them.";
    expect(causesOf("1.1", "Content-Length", "7", "Transfer-Encoding", "chunked")).toEqual([cause]);
    expect(causesOf("1.1", "Transfer-Encoding", "", "Content-Length", "7")).toEqual([cause]);
  });

  it.each([
    "",
    "gzip, chunked",
    "gzip",
    "identity",
    "chunked, chunked",
    "chunked, identity",
    "xchunked",
    "chunked;a=b",
  ])("V3 finds that Transfer-Encoding %j is not chunked", (value) => {
    expect(causesOf("1.1", "Transfer-Encoding", value)).toEqual([
      `Transfer-Encoding is "${value}"; only "chunked" is supported.`,
    ]);
  });

  it("V3 finds chunked on two lines, and in HTTP/1.0", () => {
    expect(causesOf("1.1", "Transfer-Encoding", "chunked", "Transfer-Encoding", "chunked")).toHaveLength(1);
    expect(causesOf("1.0", "Transfer-Encoding", "chunked")).toHaveLength(1);
  });
});
