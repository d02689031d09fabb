import { Response } from "../../check/response.js";

describe("the response that a check reads", () => {
  it("has the names that the server sent, whatever names other JSON had", () => {
    const earlier = JSON.parse(String.raw`{"checked":1,"b\\":1}`) as unknown;
    const received = { version: "1.1", status: 200, head: "", rawHeaders: [], truncated: false, followed: false };
    const body = Buffer.from(String.raw`{"checked":2,"b\n":2}`);
    expect(new Response({ ...received, body }).json()).toEqual({ checked: 2, "b\n": 2 });
    expect(earlier).toBeDefined();
  });
});
