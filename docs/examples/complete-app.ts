import compression from "compression";
import cors from "cors";
import express from "express";
import type { ErrorRequestHandler } from "express";
import { rateLimit } from "express-rate-limit";
import session from "express-session";
import helmet from "helmet";
import { createProxyMiddleware } from "http-proxy-middleware";
import morgan from "morgan";
import multer, { MulterError } from "multer";
import passport from "passport";
import { apiError } from "etiquette/api-error";
import { suite } from "etiquette/suite";

const { guards, fallbacks, trustProxy } = suite({
  trust: "loopback", // the proxy that ends TLS runs on this machine
  maxBytesPerCharacter: 4, // emoji
  contentType: {
    consumes: ["application/json", "multipart/form-data"], // uploads
    produces: ["application/json", "text/csv", "text/event-stream"], // a download, server-sent events
  },
  errorFormatter: {
    map(error) {
      if (!(error instanceof MulterError)) return undefined;
      return { code: error.code === "LIMIT_FILE_SIZE" ? "E0009003" : "E0000001", causes: [error.message] };
    },
  },
});
const upload = multer({ limits: { fileSize: 1_048_576 } });
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user: Express.User, done) => done(null, user));

const app = express();
app.set("trust proxy", trustProxy);

// for every request
app.use(morgan(":method :url :status :res[x-svc-request-id]"));
app.use(helmet(), compression());
app.use(express.static("public"));
app.use("/legacy", createProxyMiddleware({ target: "http://127.0.0.1:4000" }));

// for the API
app.use("/api", cors({ origin: "https://app.example.com", credentials: true, exposedHeaders: ["X-Svc-Request-Id"] }));
app.use("/api", guards);
app.use("/api", rateLimit({ limit: 100, handler: (_req, _res, next) => next(apiError("E0000047")) }));

// for the API and the pages
app.use(session({ secret: "change me", resave: false, saveUninitialized: false, cookie: { secure: "auto" } }));
app.use(passport.session());

app.get("/api/me", (req, res) => {
  if (!req.user) throw apiError("E0000011");
  res.json(req.user);
});
app.post("/api/messages", (req, res) => {
  res.status(201).json(req.body);
});
app.post("/api/photos", upload.single("photo"), (req, res) => {
  res.status(201).json({ bytes: req.file?.size });
});
app.get("/api/report.csv", (_req, res) => {
  res.attachment("report.csv").send("name,score\nJörg,1\n");
});
app.get("/api/events", (_req, res) => {
  res.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-cache, no-transform" }); // not compressed
  res.write("data: hello\n\n");
});
app.use("/api", fallbacks);

app.get("/", (_req, res) => {
  res.send('<form method="post" action="/login"><input name="name"></form>');
});
app.post("/login", express.urlencoded({ extended: false }), (req, res, next) => {
  req.login({ name: req.body.name }, (error) => (error ? next(error) : res.redirect("/")));
});
app.use((_req, res) => {
  res.status(404).send("<h1>There is no such page</h1>");
});
const pageErrors: ErrorRequestHandler = (error, _req, res, _next) => {
  console.error(error);
  res.status(500).send("<h1>Something went wrong</h1>");
};
app.use(pageErrors);
app.listen(3000);
