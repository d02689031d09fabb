import { createHmac } from "node:crypto";
import request from "supertest";
import { expectError, type GetRunning, LUNCH, signIn } from "./running.js";

const PNG = Buffer.from("89504e470d0a1a0a", "hex");

/** What Chromium sends for an image. */
const IMAGE = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8";

export function testFiles(running: GetRunning): void {
  let agent: Awaited<ReturnType<typeof signIn>>;
  let path: string;
  beforeEach(async () => {
    agent = await signIn(running());
    path = `/api/expenses/${(await agent.post("/api/expenses").send(LUNCH)).body.id}`;
  });

  describe("receipts", () => {
    const upload = (field: string, bytes: Buffer, contentType = "image/png") =>
      agent.put(`${path}/receipt`).attach(field, bytes, { filename: "Café 🍕.png", contentType });

    it("are uploaded and shown", async () => {
      await upload("receipt", PNG).expect(201, { bytes: 8 });
      const { body } = await agent
        .get(`${path}/receipt`)
        .set("Accept", IMAGE)
        .expect(200)
        .expect("Content-Type", "image/png");
      expect(body).toEqual(PNG);
    });

    it("have a limit", async () => {
      expectError(await upload("receipt", Buffer.alloc(500_001)).expect(413), "too_large");
    });

    it("come in the field receipt", async () => {
      const res = await upload("photo", PNG).expect(400);
      expectError(res, "bad_upload", "Send one file, in the field receipt.");
    });

    it("are images", async () => {
      expectError(await upload("receipt", PNG, "application/pdf").expect(415), "unsupported_file");
    });

    it("are missing until they come", async () => {
      expectError(await agent.get(`${path}/receipt`).expect(404), "not_found");
    });
  });

  describe("the bank", () => {
    const pay = (body: string, key = "development") =>
      request(running().server)
        .post("/hooks/payments")
        .type("json")
        .set("X-Signature", createHmac("sha256", key).update(body).digest("hex"))
        .send(body);

    it("says what it paid, and signs the bytes", async () => {
      await pay(`{ "expense":\n"${path.split("/").at(-1)}" }`).expect(204);
      expect((await agent.get(path)).body).toMatchObject({ paid: true });
    });

    it("has a signature that nobody else has", async () => {
      expectError(await pay("{}", "other").expect(401), "bad_signature", "The signature is wrong.");
    });
  });
}
