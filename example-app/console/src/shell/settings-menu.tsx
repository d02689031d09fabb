import { useMantineColorScheme } from "@mantine/core";
import { visible } from "../parts/visible.js";
import { useSession } from "../session/use-session.js";
import { settingsMenu } from "../texts/en/settings-menu.js";
import { CHOSEN, KEY, LANGUAGES } from "../texts/language.js";
import { VERSION } from "./version.js";

const SCHEMES = [
  ["auto", "asSystem"],
  ["light", "light"],
  ["dark", "dark"],
] as const;

/** The org, the colours, the language, help and the version. */
export function SettingsMenu() {
  const { org } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <p className="foreign">
        <strong>{visible(org.name)}</strong>
        <br />
        {org.subdomain}
      </p>
      <fieldset>
        <legend>{settingsMenu.colours}</legend>
        {SCHEMES.map(([value, name]) => (
          <label key={value}>
            <input
              type="radio"
              name="colours"
              checked={colorScheme === value}
              onChange={() => {
                setColorScheme(value);
              }}
            />
            {settingsMenu[name]}
          </label>
        ))}
      </fieldset>
      <label>
        {settingsMenu.language}
        <select
          value={CHOSEN ?? ""}
          onChange={({ currentTarget }) => {
            choose(currentTarget.value);
          }}
        >
          <option value="">{settingsMenu.asBrowser}</option>
          {Object.entries(LANGUAGES).map(([language, name]) => (
            <option key={language} value={language} lang={language}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <a href="/api/docs" target="_blank" rel="noreferrer">
        {settingsMenu.apiDocs}
      </a>
      <p>{settingsMenu.version({ version: VERSION })}</p>
    </>
  );
}

/** Shows the console in another language from now on; empty for that of the browser. */
function choose(language: string): void {
  if (language === "") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, language);
  window.location.reload();
}
