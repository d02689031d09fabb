import { useDebouncedValue } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { SESSION_KEY } from "../../api/queries.js";
import { readTried, rememberTried, type Question } from "../../parts/tried.js";
import { trimmed } from "./use-asked.js";

/** A question that stands so long is remembered, in milliseconds. */
const SETTLED_MS = 1_500;

/**
 * Remembers a question that was answered, once it has stood for a while or was followed by something else: `keep`, or another
 * page. What one types on the way to it is not remembered.
 */
export function useTried(question: Question, isAnswered: boolean) {
  const [tried, setTried] = useState(readTried);
  const [kept, setKept] = useState(question);
  const [settled] = useDebouncedValue(question, SETTLED_MS);
  useEffect(() => {
    setKept(settled);
  }, [settled]);
  useEffect(() => {
    if (isAnswered && kept === question) setTried(rememberTried(trimmed(question)));
  }, [isAnswered, kept, question]);

  const client = useQueryClient();
  const answered = useRef<Question>(undefined);
  useEffect(() => {
    answered.current = isAnswered ? question : undefined;
  });
  useEffect(
    () => () => {
      // whoever signs out leaves nothing behind
      if (answered.current && client.getQueryData(SESSION_KEY)) rememberTried(trimmed(answered.current));
    },
    [client],
  );
  return {
    tried,
    keep: () => {
      if (!isAnswered) {
        setKept(question); // until the response is here
        return;
      }
      const now = rememberTried(trimmed(question));
      afterPress(() => {
        setTried(now);
      });
    },
  };
}

/** Runs it now, or after the press that goes on: a click is lost if the page moves under it. */
function afterPress(run: () => void): void {
  if (document.querySelector(":active")) window.addEventListener("mouseup", () => setTimeout(run), { once: true });
  else run();
}
