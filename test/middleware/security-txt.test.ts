import type { Express } from "express";
import request from "supertest";
import { securityTxt, type SecurityTxtOptions } from "../../middleware/security-txt.js";
import { EXPRESS_VERSIONS } from "../support/express.js";

const PATH = "/.well-known/security.txt";
const CONTACT = ["mailto:security@example.com"];

describe.each(EXPRESS_VERSIONS)("securityTxt on %s", (_version, express) => {
  function serve(options: Partial<SecurityTxtOptions> = {}, mount = "/"): Express {
    const app = express();
    app.use(mount, securityTxt({ contact: CONTACT, now: () => Date.UTC(2026, 0, 1), ...options }));
    app.use((_req, res) => res.status(404).end());
    return app;
  }

  it("O5 says where to report a vulnerability", async () => {
    const options: Partial<SecurityTxtOptions> = {
      contact: [...CONTACT, "https://example.com/report"],
      encryption: ["dns:key._openpgpkey.example.com?type=OPENPGPKEY"],
      acknowledgments: ["https://example.com/thanks"],
      canonical: ["https://example.com/.well-known/security.txt"],
      policy: ["https://example.com/policy"],
      hiring: ["https://example.com/jobs"],
      preferredLanguages: ["en", "pt-BR"],
      expiresIn: 1,
    };
    const res = await request(serve(options)).get(PATH).expect(200);
    expect(res.text).toBe(
      [
        "Contact: mailto:security@example.com",
        "Contact: https://example.com/report",
        "Encryption: dns:key._openpgpkey.example.com?type=OPENPGPKEY",
        "Acknowledgments: https://example.com/thanks",
        "Canonical: https://example.com/.well-known/security.txt",
        "Policy: https://example.com/policy",
        "Hiring: https://example.com/jobs",
        "Preferred-Languages: en, pt-BR",
        "Expires: 2026-01-02T00:00:00Z",
        "",
      ].join("\n"),
    );
    expect(res.headers).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "content-length": String(res.text.length),
      "cache-control": "max-age=86400",
      "access-control-allow-origin": "*",
    });
  });

  it("expires after 180 days", async () => {
    await request(serve())
      .get(PATH)
      .expect(200, "Contact: mailto:security@example.com\nExpires: 2026-06-30T00:00:00Z\n");
  });

  it("is at its path alone, wherever it is mounted", async () => {
    for (const path of ["/security.txt", `${PATH}/`, `${PATH}x`, "/.well-known/Security.txt"])
      await request(serve()).get(path).expect(404);
    await request(serve()).get(`${PATH}?x`).expect(200);
    await request(serve({}, PATH)).get(PATH).expect(200);
    await request(serve()).head(PATH).expect(200);
    await request(serve()).options(PATH).expect(204);
    await request(serve()).delete(PATH).expect(405);
  });
});

describe("the options of securityTxt", () => {
  it.each([
    [{}, "`contact` must be an array of URIs, not http:, at least one"],
    [{ contact: [] }, "`contact` must be an array of URIs, not http:, at least one"],
    [{ contact: ["security@example.com"] }, "`contact` must be an array of URIs"],
    [{ contact: ["http://example.com"] }, "`contact` must be an array of URIs"],
    [{ contact: ["mailto:a@b.example\nPolicy: x:y"] }, "`contact` must be an array of URIs"],
    [{ contact: CONTACT, policy: ["policy.html"] }, "`policy` must be an array of URIs, not http:"],
    [{ contact: CONTACT, preferredLanguages: ["en, de"] }, "`preferredLanguages` must be an array of language tags"],
    [{ contact: CONTACT, expiresIn: 0 }, "`expiresIn` must be an integer from 1 to 365"],
    [{ contact: CONTACT, expiresIn: 366 }, "`expiresIn` must be an integer from 1 to 365"],
  ])("refuses %j", (options: object, message: string) => {
    expect(() => securityTxt(options as SecurityTxtOptions)).toThrow(`securityTxt: option ${message}`);
  });

  it.each([1, 365])("takes %i days", (expiresIn) => {
    expect(() => securityTxt({ contact: CONTACT, expiresIn })).not.toThrow();
  });
});
