import express from "express";
import multer, { MulterError } from "multer";
import { suite } from "etiquette/suite";

const { guards, fallbacks } = suite({
  contentType: { consumes: ["application/json", "multipart/form-data"] },
  errorFormatter: {
    map(error) {
      if (!(error instanceof MulterError)) return undefined;
      return { code: error.code === "LIMIT_FILE_SIZE" ? "E0009003" : "E0000001", causes: [error.message] };
    },
  },
});
const upload = multer({ limits: { fileSize: 1_048_576, files: 1 } }); // in memory

const app = express();
app.use(guards);
app.post("/photos", upload.single("photo"), (req, res) => {
  res.status(201).json({ bytes: req.file?.size ?? 0 });
});
app.use(fallbacks);
app.listen(3000);
