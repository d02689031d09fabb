import fc from "fast-check";
import request from "supertest";
import { omitNull } from "../../../lib/json/omit-null.js";
import { EXPRESS_VERSIONS } from "../../support/express.js";

describe("omitNull", () => {
  it("N3 leaves null properties out at every depth, and keeps array elements and other empty values", () => {
    const value = { a: null, b: [null, { c: null, d: 0 }], e: "", f: false, g: {}, h: [], i: { j: null } };
    expect(JSON.stringify(value, omitNull)).toBe('{"b":[null,{"d":0}],"e":"","f":false,"g":{},"h":[],"i":{}}');
  });

  it("keeps a value that is null itself", () => {
    expect(JSON.stringify(null, omitNull)).toBe("null");
  });

  it("changes nothing that holds no null", () => {
    const withoutNull = fc.jsonValue().filter((value) => !JSON.stringify(value).includes("null"));
    fc.assert(fc.property(withoutNull, (value) => JSON.stringify(value, omitNull) === JSON.stringify(value)));
  });

  it.each(EXPRESS_VERSIONS)("N3 is set for a whole app on %s", async (_version, express) => {
    const app = express();
    app.set("json replacer", omitNull);
    app.get("/", (_req, res) => {
      res.json({ id: "00u1", lastLogin: null, groups: [null] });
    });
    const res = await request(app).get("/");
    expect(res.text).toBe('{"id":"00u1","groups":[null]}');
  });
});
