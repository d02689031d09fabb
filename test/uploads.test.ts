import { createServer } from "node:http";
import type { Express, RequestHandler } from "express";
import multer from "multer";
import request from "supertest";
import { bodyLength } from "etiquette/body-length";
import { contentType } from "etiquette/content-type";
import { errorFormatter } from "etiquette/error-formatter";
import { jsonBody } from "etiquette/json-body";
import { suite, type SuiteOptions } from "etiquette/suite";
import { utf8Guard } from "etiquette/utf8-guard";
import { EXPRESS_VERSIONS } from "./support/express.js";
import { exchange, listen } from "./support/raw-socket.js";

/** multer, the parser of uploads that most apps use, behind the middlewares and behind `suite()`. */
const CONSUMES = ["application/json", "application/vnd.acme+json", "multipart/form-data"];

/** A PNG begins with a byte that UTF-8 never has; an emoji takes four bytes. */
const FILE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff, 0xf0, 0x9f, 0x98, 0x80]);

const alone: RequestHandler[] = [bodyLength(), utf8Guard(), contentType({ consumes: CONSUMES }), jsonBody()];

const inSuite = (options: SuiteOptions = { contentType: { consumes: CONSUMES } }) => [
  suite({ httpsOnly: false, ...options }).guards,
];

describe.each(EXPRESS_VERSIONS)("uploads on %s", (_version, express) => {
  describe.each([
    ["the middlewares", alone],
    ["suite()", inSuite()],
  ])("behind %s", (_name, guards) => {
    it("S3 reach multer byte for byte", async () => {
      const sent = request(createApp(guards)).post("/").field("title", "Résumé").attach("file", FILE, "cv.png");
      const { body } = await sent.expect(200);
      expect(body).toEqual({ body: { title: "Résumé" }, file: FILE.toString("hex") });
    });

    it("S3 reach multer when they come in chunks", async () => {
      const part = 'Content-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc';
      const payload = `--x\r\n${part}\r\n--x--\r\n`;
      const head = "Content-Type: multipart/form-data; boundary=x\r\nTransfer-Encoding: chunked\r\nConnection: close";
      const chunks = [payload.slice(0, 20), payload.slice(20)].map(
        (text) => `${text.length.toString(16)}\r\n${text}\r\n`,
      );
      const message = `POST / HTTP/1.1\r\nHost: localhost\r\n${head}\r\n\r\n${chunks.join("")}0\r\n\r\n`;
      const response = await send(createApp(guards), message);
      expect(response).toContain('{"body":{},"file":"616263"}');
    });

    it("S3 leave JSON on the same route to jsonBody", async () => {
      const { body } = await request(createApp(guards)).post("/").send({ title: "CV" }).expect(200);
      expect(body).toEqual({ body: { title: "CV" } });
      await request(createApp(guards)).post("/").type("json").send('{"title":').expect(400);
    });

    it("S3 V2 must have a length, a path in UTF-8 and a type that is consumed", async () => {
      const app = createApp(guards);
      const fields = "Host: localhost\r\nContent-Type: multipart/form-data; boundary=x\r\nConnection: close";
      expect(await send(app, `POST / HTTP/1.1\r\n${fields}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 411 /);
      const illFormed = `POST /%ff HTTP/1.1\r\n${fields}\r\nContent-Length: 0\r\n\r\n`;
      expect(await send(app, illFormed)).toMatch(/^HTTP\/1\.1 400 /);
      await request(app).post("/").type("form").send("a=1").expect(415);
    });
  });

  it("S3 lets a parser of forms run behind suite(), whatever the order of the types", async () => {
    const options = { contentType: { consumes: ["application/x-www-form-urlencoded", "application/json"] } };
    const app = createApp([...inSuite(options), express.urlencoded({ extended: false })]);
    const form = await request(app).post("/").type("form").send("title=CV&page=1").expect(200);
    expect(form.body).toEqual({ body: { title: "CV", page: "1" } });
    const json = await request(app).post("/").send({ title: "CV" }).expect(200);
    expect(json.body).toEqual({ body: { title: "CV" } });
  });

  it("S3 parses the types with +json that contentType consumes, and not the others", async () => {
    const app = createApp(inSuite());
    const res = await request(app).post("/").type("application/vnd.acme+json").send('{"a":1}').expect(200);
    expect(res.body).toEqual({ body: { a: 1 } });
    const only = createApp(inSuite({ contentType: { consumes: ["multipart/form-data"] } }));
    await request(only).post("/").attach("file", FILE, "cv.png").expect(200);
    await request(only).post("/").send({ a: 1 }).expect(415);
  });

  it("S3 parses JSON of another name when jsonBody is told to", async () => {
    const consumes = ["application/json", "text/plain"];
    const told = createApp(inSuite({ contentType: { consumes }, jsonBody: { consumes } }));
    const parsed = await request(told).post("/").type("text/plain").send('{"a":1}').expect(200);
    expect(parsed.body).toEqual({ body: { a: 1 } });
    const untold = createApp([...inSuite({ contentType: { consumes } }), express.text()]);
    const text = await request(untold).post("/").type("text/plain").send('{"a":1}').expect(200);
    expect(text.body).toEqual({ body: '{"a":1}' });
  });

  function createApp(guards: RequestHandler[]): Express {
    const app = express();
    app.use(...guards);
    app.post("/", multer().single("file"), (req, res) => {
      res.json({
        body: typeof req.body === "string" ? req.body : { ...(req.body as object) },
        file: req.file?.buffer.toString("hex"),
      });
    });
    app.use(errorFormatter({ log: () => undefined }));
    return app;
  }
});

async function send(app: Express, message: string): Promise<string> {
  const server = createServer(app);
  try {
    return await exchange(await listen(server), message);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
