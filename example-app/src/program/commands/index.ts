import { BACKUP } from "./backup.js";
import type { Command, Flag } from "./command.js";
import { CONSOLE } from "./console.js";
import { DISTRIBUTE } from "./distribute.js";
import { DOCTOR } from "./doctor.js";
import { ERASE } from "./erase.js";
import { EXPORT } from "./export.js";
import { IMPORT } from "./import.js";
import { MIGRATE } from "./migrate.js";
import { ORG_ACTIVATE } from "./org-activate.js";
import { ORG_LIST } from "./org-list.js";
import { ORG_REMOVE } from "./org-remove.js";
import { ORG_SUSPEND } from "./org-suspend.js";
import { RESTORE } from "./restore.js";
import { SERVE } from "./serve.js";
import { TOKEN_CREATE } from "./token-create.js";
import { TOKEN_LIST } from "./token-list.js";
import { TOKEN_REVOKE } from "./token-revoke.js";

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  SERVE,
  IMPORT,
  EXPORT,
  BACKUP,
  RESTORE,
  TOKEN_CREATE,
  TOKEN_LIST,
  TOKEN_REVOKE,
  CONSOLE,
  ERASE,
  ORG_LIST,
  ORG_SUSPEND,
  ORG_ACTIVATE,
  ORG_REMOVE,
  MIGRATE,
  DISTRIBUTE,
  DOCTOR,
];

/** The flags of all commands that are no settings, by their names without the dashes. */
export const FLAGS: Readonly<Record<string, Flag>> = Object.assign({}, ...COMMANDS.map(({ flags }) => flags)) as Record<
  string,
  Flag
>;
