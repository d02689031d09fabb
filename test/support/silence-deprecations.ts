// Express 4 prints each deprecated call that it gets. Import this file before Express.
process.env["NO_DEPRECATION"] = "express";
