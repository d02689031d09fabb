import { parseUrl } from "../../../lib/net/parse-url.js";

describe("parseUrl()", () => {
  it.each([
    ["https://bücher.example/ü?ü", undefined, "https://xn--bcher-kva.example/%C3%BC?%C3%BC"],
    ["/ü", "https://bücher.example/", "https://xn--bcher-kva.example/%C3%BC"],
  ])("reads %s as often as it is asked", (text, base, href) => {
    for (let call = 0; call < 30_000; call++) expect(parseUrl(text, base)?.href).toBe(href);
  });

  it.each([
    ["", undefined],
    ["/path", undefined],
    ["https://", undefined],
    ["//", "https://a.example"],
    ["x", "y"],
  ])("finds none in %j below %j", (text, base) => {
    expect(parseUrl(text, base)).toBeUndefined();
  });
});
