import { formatRawResponse } from "../../../lib/server/raw-response.js";

const response = {
  status: 400,
  reason: "Bad Request",
  headers: { Connection: "close", "X-Svc-Request-Id": "id-1" },
  body: '{"é":1}',
  date: new Date(Date.UTC(1994, 10, 6, 8, 49, 37)),
};

describe("formatRawResponse", () => {
  it("writes the status line, Date, the fields in their order, the length in bytes and the body", () => {
    expect(formatRawResponse(response)).toBe(
      [
        "HTTP/1.1 400 Bad Request",
        "Date: Sun, 06 Nov 1994 08:49:37 GMT",
        "Connection: close",
        "X-Svc-Request-Id: id-1",
        "Content-Length: 8",
        "",
        '{"é":1}',
      ].join("\r\n"),
    );
  });

  it("leaves the body out, not its length, for HEAD", () => {
    expect(formatRawResponse({ ...response, headOnly: true })).toMatch(/\r\nContent-Length: 8\r\n\r\n$/);
  });
});
