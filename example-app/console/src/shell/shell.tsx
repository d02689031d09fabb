import { Text, VisuallyHidden } from "@mantine/core";
import { Link, Outlet } from "@tanstack/react-router";
import { Suspense, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { Notices } from "../parts/notices/notices.js";
import { MenuIcon } from "../parts/icons.js";
import { Problem } from "../parts/problem.js";
import { Skeletons } from "../parts/skeletons.js";
import { visible } from "../parts/visible.js";
import { useSession, useSignOut } from "../session/use-session.js";
import { pages } from "../texts/en/pages.js";
import { shell } from "../texts/en/shell.js";
import { SearchButton } from "../palette/search-button.js";
import { Outage } from "./outage.js";
import { PAGES } from "./pages.js";
import { Settings } from "./settings.js";

/** The frame of the console: what one can visit, and who is signed in. In a narrow window a button shows the pages. */
export function Shell(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { org } = useSession();
  const close = () => {
    setOpen(false);
  };
  const toggle = () => {
    setOpen(!isOpen);
    window.scrollTo(0, 0); // the pages are before the page
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key !== "Escape" || !isOpen) return;
    close();
    button.current?.focus();
  };
  return (
    <div className="shell">
      <a className="skip" href="#page">
        {shell.skip}
      </a>
      <header className="shell-header">
        <button
          ref={button}
          type="button"
          className="shell-button shell-pages-button"
          aria-label={shell.pages}
          aria-expanded={isOpen}
          aria-controls="pages"
          onClick={toggle}
          onKeyDown={onKeyDown}
        >
          <MenuIcon />
        </button>
        <Text fw={700} truncate className="foreign">
          {visible(org.name)}
        </Text>
        <Text size="sm" c="dimmed" className="shell-subdomain">
          {org.subdomain}
        </Text>
        <SearchButton />
        <Settings />
      </header>
      <nav id="pages" className="shell-pages" aria-label={shell.pages} data-open={isOpen} onKeyDown={onKeyDown}>
        <div>
          <Navigation onVisit={close} />
        </div>
        <SignedInAs />
      </nav>
      <main id="page" className="shell-page" tabIndex={-1}>
        <div>
          <Suspense
            fallback={
              <>
                <VisuallyHidden role="status">{shell.loading}</VisuallyHidden>
                <Skeletons />
              </>
            }
          >
            <Notices>
              <Outage />
              <Outlet />
            </Notices>
          </Suspense>
        </div>
      </main>
    </div>
  );
}

function Navigation({ onVisit }: Readonly<{ onVisit: () => void }>) {
  return PAGES.map(({ to, name, icon: Icon }) => (
    <Link
      key={to}
      to={to}
      className="shell-link"
      onClick={onVisit}
      activeOptions={{ exact: to === "/", includeSearch: false }}
    >
      <Icon />
      {pages[name]}
    </Link>
  ));
}

function SignedInAs() {
  const { token } = useSession();
  const signOut = useSignOut();
  const [error, setError] = useState<Error>();
  return (
    <div className="shell-session">
      <Text size="xs" c="dimmed" className="foreign" lineClamp={2}>
        {shell.signedInWith({ name: visible(token.name) })}
      </Text>
      {error && <Problem error={error} title={shell.stillSignedIn} />}
      <button type="button" className="shell-button shell-words" onClick={() => void signOut().catch(setError)}>
        {shell.signOut}
      </button>
    </div>
  );
}
