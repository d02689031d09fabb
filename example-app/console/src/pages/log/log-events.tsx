import { Box, Button, Paper } from "@mantine/core";
import { useState } from "react";
import { LogRow } from "./log-row.js";
import type { Question } from "./question.js";
import type { Log } from "./use-log.js";
import type { Ask } from "./use-question.js";
import { log as texts } from "../../texts/en/log.js";

/** How many events more are shown each time. */
const SHOWN = 200;

interface LogEventsProps {
  log: Log;
  question: Question;
  ask: Ask;
}

/** Events, the newest first. */
export function LogEvents({ log, question, ask }: Readonly<LogEventsProps>) {
  const { events, waiting, hasOlder, isReadingOlder, showOlder, showWaiting } = log;
  const [shown, setShown] = useState(SHOWN);
  return (
    <Paper withBorder id={LIST}>
      {waiting.length > 0 && (
        <Button variant="light" fullWidth radius={0} className="new-events" onClick={showWaiting}>
          {texts.newEvents({ n: waiting.length })}
        </Button>
      )}
      <Box role="list">
        {events.slice(0, shown).map((event) => (
          <LogRow key={event.uuid} event={event} question={question} ask={ask} />
        ))}
      </Box>
      {(hasOlder || events.length > shown) && (
        <Button
          variant="subtle"
          fullWidth
          loading={isReadingOlder && events.length <= shown}
          onClick={() => {
            setShown(shown + SHOWN);
            if (events.length < shown + SHOWN) showOlder();
          }}
        >
          {texts.showOlder}
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
