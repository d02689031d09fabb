import { Badge, Box, Button, Code, Group, Paper, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { LogEvent } from "../../api/types.js";
import { Copy } from "../../parts/copy.js";
import { WhenColumn } from "../../parts/when.js";
import { visible } from "../../parts/visible.js";
import { useSession } from "../../session/use-session.js";
import { searchOfTrace } from "../try-login/search.js";
import type { Log } from "./use-log.js";

const COLORS = { DEBUG: "gray", INFO: "teal", WARN: "yellow", ERROR: "red" } as const;

interface LogEventsProps {
  log: Log;
  /** Show all events of a request. */
  onRequest: (id: string) => void;
}

/** Events, the newest first. Each opens to all that the log has of it. */
export function LogEvents({ log, onRequest }: Readonly<LogEventsProps>) {
  const { events, waiting, hasOlder, isReadingOlder, showOlder, showWaiting } = log;
  return (
    <Paper withBorder id={LIST}>
      {waiting.length > 0 && (
        <Button variant="light" fullWidth radius={0} className="new-events" onClick={showWaiting}>
          {waiting.length} new {waiting.length === 1 ? "event" : "events"}
        </Button>
      )}
      <Box role="list">
        {events.map((event) => (
          <LogRow key={event.uuid} event={event} onRequest={onRequest} />
        ))}
      </Box>
      {hasOlder && (
        <Button variant="subtle" fullWidth loading={isReadingOlder} onClick={showOlder}>
          Show older events
        </Button>
      )}
    </Paper>
  );
}

const LIST = "log-events";

/** Whether somebody reads or is about to press a row: then rows don't move. */
export function isListInUse(): boolean {
  const list = document.getElementById(LIST);
  return list !== null && (window.scrollY > 0 || list.matches(":hover, :focus-within"));
}

function LogRow({ event, onRequest }: Readonly<{ event: LogEvent; onRequest: (id: string) => void }>) {
  const [isOpen, setOpen] = useState(false);
  const { published, severity, displayMessage, eventType, actor, target, outcome, debugContext, client } = event;
  const { accountPrefix } = useSession();
  const explanation = event._links?.trace;
  const id = debugContext.debugData.requestId;
  const what = target?.map(({ displayName }) => visible(displayName)).join(", ") ?? debugContext.debugData.url;
  return (
    <Box role="listitem" px="md" py="sm" style={{ borderTop: "1px solid var(--mantine-color-default-border)" }}>
      <Group gap="sm" align="flex-start">
        <WhenColumn date={published} />
        <Badge variant="light" color={COLORS[severity]} tt="none" w={68}>
          {severity}
        </Badge>
        <Box flex={1} miw={220}>
          <Text size="sm" className="foreign">
            <Text span fw={600}>
              {displayMessage}
            </Text>{" "}
            {what}
          </Text>
          <Text size="xs" c="dimmed" className="foreign">
            {eventType} · by {visible(actor.displayName)}
            {client.ipAddress !== null && ` from ${client.ipAddress}`}
            {outcome.reason !== null && ` · ${visible(outcome.reason)}`}
          </Text>
        </Box>
        {explanation && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Why: the event ${displayMessage} of ${published}`}
            renderRoot={(props: object) => (
              <Link to="/" search={searchOfTrace(explanation.href, accountPrefix)} {...props} />
            )}
          >
            Why
          </Button>
        )}
        <Button
          size="compact-xs"
          variant="default"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? "Hide" : "Show"} the event ${displayMessage} of ${published}`}
          onClick={() => {
            setOpen(!isOpen);
          }}
        >
          {isOpen ? "Hide" : "Show"}
        </Button>
      </Group>
      {isOpen && (
        <Box mt="sm">
          {id !== "" && (
            <Group gap={6} mb="xs">
              <Text size="xs" className="mono">
                {id}
              </Text>
              <Copy value={id} label="Copy the id of the request" />
              <Button
                size="compact-xs"
                variant="subtle"
                onClick={() => {
                  onRequest(id);
                }}
              >
                Every event of this request
              </Button>
            </Group>
          )}
          <Code block tabIndex={0} style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
            {JSON.stringify(event, null, 2)}
          </Code>
        </Box>
      )}
    </Box>
  );
}
