"use strict";

const { Router } = require("express");
const { AppError } = require("./errors");

const PASSWORDS = new Map([
  ["ann", "correct horse"],
  ["boss", "battery staple"],
]);
const MAX_ATTEMPTS = 3;
const MINUTE = 60_000;

/** Sign in and out: a form in the page, JSON in the mobile app. */
function accounts() {
  const router = Router();
  const failures = new Map();

  router.post("/login", (req, res, next) => {
    const { name, password } = req.body || {};
    const failed = (failures.get(name) || []).filter((time) => Date.now() - time < MINUTE);
    if (failed.length >= MAX_ATTEMPTS) return next(new AppError("too_many_attempts", { "Retry-After": "60" }));
    if (!PASSWORDS.has(name) || PASSWORDS.get(name) !== password) {
      failures.set(name, [...failed, Date.now()]);
      return next(new AppError("bad_credentials"));
    }
    req.session.regenerate((err) => {
      if (err) return next(err);
      req.session.user = { name };
      if (req.is("json")) res.status(201).json({ name });
      else res.redirect(303, "/");
    });
  });

  router.post("/logout", (req, res, next) => {
    req.session.destroy((err) => (err ? next(err) : res.status(204).end()));
  });

  router.get("/api/me", requireUser, (req, res) => res.json(req.session.user));
  return router;
}

function requireUser(req, res, next) {
  next(req.session.user ? undefined : new AppError("not_signed_in"));
}

module.exports = { accounts, requireUser };
