import { gzipSync } from "node:zlib";
import request from "supertest";
import { expectError, type GetRunning, LUNCH, signIn } from "./running.js";

type Agent = Awaited<ReturnType<typeof signIn>>;

export function testExpenses(running: GetRunning): void {
  let agent: Agent;
  beforeEach(async () => {
    agent = await signIn(running());
  });

  const add = async (values: object = {}): Promise<string> => {
    const { body } = await agent.post("/api/expenses").send({ ...LUNCH, ...values });
    return `/api/expenses/${body.id}`;
  };

  describe("expenses", () => {
    it("are for those who are signed in", async () => {
      expectError(await request(running().server).get("/api/expenses").expect(401), "not_signed_in");
    });

    it("are added", async () => {
      const { body, headers } = await agent.post("/api/expenses").send(LUNCH).expect(201);
      expect(body).toEqual({ id: expect.any(String), ...LUNCH, tags: [], by: "ann", approved: false });
      expect(headers["location"]).toBe(`/api/expenses/${body.id}`);
    });

    it("have notes in any language", async () => {
      const note = "Müllers Café ☕, 寿司 and 🍕";
      const { body } = await agent.get(await add({ note })).expect(200);
      expect(body.note).toBe(note);
    });

    it("come compressed from the batch job", async () => {
      const sent = agent.post("/api/expenses").type("json").set("Content-Encoding", "gzip");
      sent.serialize(() => gzipSync(JSON.stringify(LUNCH)) as unknown as string);
      await sent.send(LUNCH).expect(201);
    });

    it("come by the thousand from the batch job", async () => {
      const batch = Array.from({ length: 1000 }, (_, index) => ({ ...LUNCH, note: `${index} `.padEnd(200, "x") }));
      await agent.post("/api/expenses/batch").send(batch).expect(201, { added: 1000 });
    });

    it("name the fields that are wrong", async () => {
      const res = await agent.post("/api/expenses").send({ title: " ", amount: "12", currency: "EUR" }).expect(422);
      expectError(res, "validation_failed", "Some fields are not valid.");
      expect(res.body.error.fields).toEqual([
        { path: "title", message: "Say what it was for." },
        { path: "amount", message: "The amount is a number." },
      ]);
    });

    it("name a field inside a list", async () => {
      const res = await agent
        .post("/api/expenses")
        .send({ ...LUNCH, tags: ["a", 1] })
        .expect(422);
      expect(res.body.error.fields).toEqual([{ path: "tags.1", message: "A tag is a text." }]);
    });

    it("need a body", async () => {
      expectError(await agent.post("/api/expenses").expect(422), "validation_failed");
    });

    it("need JSON", async () => {
      const res = await agent.post("/api/expenses").type("json").send('{"title":').expect(400);
      expectError(res, "bad_json", "The body is not valid JSON.");
    });

    it("have a limit of a megabyte", async () => {
      const res = await agent.post("/api/expenses").send({ ...LUNCH, note: "x".repeat(1_100_000) });
      expect(res.status).toBe(413);
      expectError(res, "too_large", "The body is too large.");
    });

    it("are read", async () => {
      const path = await add();
      expect((await agent.get(path).expect(200)).body).toMatchObject(LUNCH);
    });

    it("are not sent again when the client has them", async () => {
      const path = await add();
      const { headers } = await agent.get(path).expect(200);
      await agent.get(path).set("If-None-Match", String(headers["etag"])).expect(304);
    });

    it("are missing by an unknown id", async () => {
      expectError(await agent.get("/api/expenses/9999999").expect(404), "not_found");
    });

    it("are changed", async () => {
      const path = await add({ tags: ["team"] });
      const { body } = await agent.patch(path).send({ amount: 13 }).expect(200);
      expect(body).toMatchObject({ ...LUNCH, amount: 13, tags: ["team"] });
    });

    it("stay as they are once approved", async () => {
      const path = await add();
      await agent.put(`${path}/approval`).expect(204);
      const res = await agent.patch(path).send({ amount: 13 }).expect(409);
      expectError(res, "already_approved", "An approved expense can't be changed.");
    });

    it("are removed", async () => {
      const path = await add();
      await agent.delete(path).expect(204);
      await agent.get(path).expect(404);
    });
  });

  describe("the list", () => {
    const search = async (query: string) => (await agent.get(`/api/expenses?${query}`).expect(200)).body;

    it("is found by words", async () => {
      await add({ title: "Dinner with Ann & Bob" });
      expect(await search("q=with+Ann+%26")).toMatchObject({ total: 1, items: [{ title: "Dinner with Ann & Bob" }] });
    });

    it("is found by all of several tags", async () => {
      await add({ tags: ["north", "south"] });
      await add({ tags: ["north"] });
      expect(await search("tag=north&tag=south")).toMatchObject({ total: 1 });
      expect(await search("tag=north")).toMatchObject({ total: 2 });
    });

    it("has pages", async () => {
      for (const title of ["one", "two", "three"]) await add({ title, tags: ["paged"] });
      expect(await search("tag=paged&page=2&pageSize=2")).toMatchObject({ total: 3, items: [{ title: "three" }] });
    });

    it("has no page 0", async () => {
      const res = await agent.get("/api/expenses?page=0").expect(422);
      expect(res.body.error.fields).toEqual([{ path: "page", message: "Pages begin at 1." }]);
    });

    it("is a 500 without a word of the reason when the database fails", async () => {
      const { store, log } = running();
      jest.spyOn(store, "list").mockRejectedValueOnce(new Error("disk /dev/sda1 is full"));
      const res = await agent.get("/api/expenses").expect(500);
      expectError(res, "internal", "Something went wrong.");
      expect(res.text).not.toContain("disk");
      const id = String(res.headers["x-request-id"]);
      expect(log.error).toHaveBeenCalledWith(
        expect.stringContaining(id),
        expect.objectContaining({ message: expect.stringContaining("disk") }),
      );
    });

    it("is exported", async () => {
      const { text, headers } = await agent.get("/api/expenses/export.csv").set("Accept", "text/csv").expect(200);
      expect(text).toMatch(/^title;amount;currency\nLunch;12.5;EUR\n/);
      expect(headers["content-disposition"]).toMatch(/^attachment; filename="?expenses\.csv"?$/);
    });

    it("is imported", async () => {
      const csv = "title;amount;currency\nTaxi;20;EUR\nHôtel;90;EUR\n";
      const sent = agent.post("/api/expenses/import").set("Content-Type", "text/csv; charset=utf-8");
      await sent.send(csv).expect(201, { added: 2 });
      expect(await search(`q=${encodeURIComponent("Hôtel")}`)).toMatchObject({ total: 1 });
    });

    it("says which line of an import is wrong", async () => {
      const res = await agent
        .post("/api/expenses/import")
        .type("text/csv")
        .send("title;amount;currency\nTaxi;-1;EUR\n");
      expect(res.status).toBe(422);
      expect(res.body.error.fields).toEqual([{ path: "0.amount", message: "The amount is more than zero." }]);
    });
  });
}
