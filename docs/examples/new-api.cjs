const express = require("express");
const { createServer, suite } = require("etiquette");

const users = new Map([["1", { id: "1", name: "Ann" }]]);

const { guards, fallbacks } = suite();

const app = express();
app.use("/api", guards); // before the routes; reads JSON bodies too

app.get("/api/users", (req, res) => {
  res.json([...users.values()]);
});
app.get("/api/users/:id", (req, res, next) => {
  const user = users.get(req.params.id);
  if (user) res.json(user);
  else next(); // the 404 comes from the fallbacks
});
app.post("/api/users", (req, res) => {
  const user = { id: String(users.size + 1), name: req.body.name };
  users.set(user.id, user);
  res.status(201).json(user);
});

app.use("/api", fallbacks); // after the routes

app.get("/", (req, res) => {
  res.send("<h1>Users</h1>"); // a page, outside of the API
});

createServer(app).listen(3000);
