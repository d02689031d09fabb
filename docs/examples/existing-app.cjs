const express = require("express");
const { createServer, suite } = require("etiquette"); // new

const users = new Map([["1", { id: "1", name: "Ann" }]]);

const { guards, fallbacks } = suite(); // new

const app = express();
app.use("/api", guards); // new, in place of express.json()

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

app.use("/api", fallbacks); // new, after the routes of the API

app.get("/", (req, res) => {
  res.send("<h1>Users</h1>"); // a page, as before
});

createServer(app).listen(3000); // new, in place of app.listen(3000)
