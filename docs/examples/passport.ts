import express from "express";
import session from "express-session";
import helmet from "helmet";
import passport from "passport";
import { apiError } from "etiquette/api-error";
import { methodNotAllowed } from "etiquette/method-not-allowed";
import { suite } from "etiquette/suite";

const { guards, fallbacks, trustProxy } = suite({ trust: "loopback" });

passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user: Express.User, done) => done(null, user));

const app = express();
app.set("trust proxy", trustProxy); // express-session sends a secure cookie only if req.secure
app.use(helmet());
app.use(guards);
app.use(
  session({
    name: "__Host-session",
    secret: "change me", // from your settings
    resave: false,
    saveUninitialized: false,
    cookie: { secure: true, httpOnly: true, sameSite: "strict", path: "/" },
  }),
);
app.use(passport.session());

app
  .route("/session")
  .get((req, res) => {
    if (!req.user) throw apiError("E0000011"); // 401
    res.json(req.user);
  })
  .post((req, res, next) => {
    if (req.body?.password !== "secret") throw apiError("E0000011"); // your check
    req.login({ name: req.body.name }, (error) => (error ? next(error) : res.status(201).json(req.user)));
  })
  .delete((req, res, next) => {
    req.logout((error) => (error ? next(error) : res.status(204).end()));
  })
  .all(methodNotAllowed());

app.use(fallbacks);
app.listen(3000);
