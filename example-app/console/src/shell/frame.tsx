import { Skeletons } from "../parts/skeletons.js";
import { shell } from "../texts/en/shell.js";

/** The frame, before one knows who is signed in. index.html has it too: it shows before this does. */
export function Frame() {
  return (
    <div className="shell">
      <header className="shell-header">
        <title>{shell.console}</title>
        <span role="status">{shell.starting}</span>
      </header>
      <div className="shell-pages" data-open="false" />
      <main className="shell-page">
        <Skeletons />
      </main>
    </div>
  );
}
