import { Combobox, Group, Loader, Modal, Text, TextInput, useCombobox, VisuallyHidden } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useNavigate, type NavigateOptions } from "@tanstack/react-router";
import { useEffect, useState, type ReactNode } from "react";
import { Summary } from "../parts/summary.js";
import { hasWords, splitWords } from "../parts/find-words.js";
import { visible } from "../parts/visible.js";
import { PAGES } from "../shell/pages.js";
import { pages } from "../texts/en/pages.js";
import { palette } from "../texts/en/palette.js";
import { MAX_SEARCH, useFound, type Found, type Hit } from "./use-found.js";

interface Place {
  readonly key: string;
  readonly name: string;
  readonly about?: string | undefined;
  readonly to: Pick<NavigateOptions, "to" | "params" | "search">;
}

/** The kinds of records, best first. */
const KINDS = ["rules", "idps", "zones", "origins", "users"] as const;

type Kind = (typeof KINDS)[number];

type AllFound = Readonly<Partial<Record<Kind, Found>>>;

const ADDRESSES = { rules: "/rules/$id", idps: "/idps/$id", zones: "/zones/$id", origins: "/origins/$id" } as const;

/** The pause after the last key before the server is asked, in milliseconds. */
const DEBOUNCE_MS = 150;

/** Finds every page and every record by its name, and tries a login. */
export function Palette({ isOpen, onClose }: Readonly<{ isOpen: boolean; onClose: () => void }>) {
  const [text, setText] = useState("");
  const [asked] = useDebouncedValue(text.trim(), DEBOUNCE_MS);
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      size="lg"
      yOffset="12vh"
      attributes={{ content: { "aria-label": palette.title } }}
    >
      <Finder text={text} setText={setText} asked={asked} onClose={onClose} />
    </Modal>
  );
}

interface FinderProps {
  text: string;
  setText: (text: string) => void;
  /** The text without spaces around it, a moment after the last key. */
  asked: string;
  onClose: () => void;
}

function Finder({ text, setText, asked, onClose }: Readonly<FinderProps>) {
  const found: AllFound = useFound(asked);
  const navigate = useNavigate();
  const combobox = useCombobox({ opened: true });
  const groups = groupPlaces(text.trim(), found);
  const places = groups.flatMap((group) => group.places);
  const isSearching = asked !== text.trim() || Object.values(found).some(({ isReading }) => isReading);
  const error = Object.values(found).find((one) => one.error !== null)?.error;
  const keys = places.map(({ key }) => key).join();
  const { selectFirstOption } = combobox;
  useEffect(() => {
    selectFirstOption();
  }, [keys, selectFirstOption]);
  const visit = (key: string) => {
    const place = places.find((one) => one.key === key);
    if (!place) return;
    setText("");
    onClose();
    void navigate(place.to);
  };
  return (
    <Combobox store={combobox} onOptionSubmit={visit}>
      <Combobox.EventsTarget>
        <TextInput
          data-autofocus
          aria-label={palette.title}
          placeholder={palette.placeholder}
          size="lg"
          variant="unstyled"
          px="md"
          value={text}
          maxLength={MAX_SEARCH}
          onChange={(event) => {
            setText(event.currentTarget.value);
          }}
          onKeyDown={({ key }) => {
            if (key === "Escape") onClose(); // it is the list's own key, too
          }}
          rightSection={isSearching && <Loader size="xs" aria-hidden />}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Combobox.EventsTarget>
      <VisuallyHidden role="status">{isSearching ? "" : palette.found({ n: places.length })}</VisuallyHidden>
      <Combobox.Options mah="60vh" p="xs" style={{ overflowY: "auto" }} aria-label={palette.results}>
        {groups.map(({ title, places: shown }) => (
          <Combobox.Group key={title} label={title}>
            {shown.map((place) => (
              <FoundPlace key={place.key} place={place} />
            ))}
          </Combobox.Group>
        ))}
        {places.length === 0 && !isSearching && <Combobox.Empty>{palette.nothing}</Combobox.Empty>}
      </Combobox.Options>
      {error && (
        <Text size="sm" c="red" p="md" pt={0} role="alert">
          {palette.failed({ reason: <Summary key="reason" error={error} /> })}
        </Text>
      )}
    </Combobox>
  );
}

function FoundPlace({ place: { key, name, about } }: Readonly<{ place: Place }>): ReactNode {
  return (
    <Combobox.Option value={key}>
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" truncate className="foreign">
          {visible(name)}
        </Text>
        {about !== undefined && (
          <Text size="xs" truncate className="foreign" ml="auto">
            {visible(about)}
          </Text>
        )}
      </Group>
    </Combobox.Option>
  );
}

/** What the text finds, best first. Without a text, every page. */
function groupPlaces(text: string, found: AllFound): { title: string; places: Place[] }[] {
  const words = splitWords(text);
  const visited = PAGES.filter(({ name }) => hasWords(pages[name], words));
  return [
    { title: pages.tryLogin, places: isLogin(text) ? [tryLogin(text)] : [] },
    { title: palette.pages, places: visited.map(({ name, to }) => ({ key: to, name: pages[name], to: { to } })) },
    ...KINDS.map((kind) => ({
      title: pages[kind],
      places: (found[kind]?.hits ?? []).map(({ id, name, about }: Hit) => ({
        key: `${kind} ${id}`,
        name,
        about,
        to: addressOf(kind, id),
      })),
    })),
  ].filter(({ places }) => places.length > 0);
}

/** A login has no spaces, and is no word of a search. */
function isLogin(text: string): boolean {
  return /^\S+[@\\]\S+$/.test(text);
}

function tryLogin(login: string): Place {
  return { key: "try", name: palette.tryLogin({ login }), to: { to: "/", search: { login } } };
}

function addressOf(kind: Kind, id: string): Place["to"] {
  return kind === "users" ? { to: "/users/$userId", params: { userId: id } } : { to: ADDRESSES[kind], params: { id } };
}
