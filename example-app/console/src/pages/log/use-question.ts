import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo, useState } from "react";
import { readQuestion, toSearch, USUAL, type Question } from "./question.js";
import { readLogSearch, type LogSearch } from "./search.js";

export type Ask = (changes: Partial<Question>) => void;

/** The question of the address; `undefined` for a moment, when the address asks nothing. */
export function useQuestion(): readonly [question: Question | undefined, ask: Ask] {
  const navigate = useNavigate();
  const address = useSearch({ strict: false, select: keyOf });
  const [asked, setAsked] = useState<Question>();
  useEffect(() => {
    if (address === keyOf({})) void navigate({ to: "/log", search: USUAL, replace: true });
  }, [address, navigate]);
  const question = useMemo(() => {
    // the same again, so that an expression that is not complete stays as it was written
    if (asked && keyOf(toSearch(asked)) === address) return asked;
    return address === keyOf({}) ? undefined : readQuestion(JSON.parse(address) as LogSearch);
  }, [address, asked]);

  // the same as long as the question is, so that no row is drawn anew
  const ask = useCallback(
    (changes: Partial<Question>) => {
      if (!question) return;
      const next = { ...question, ...changes };
      setAsked(next);
      void navigate({ to: "/log", search: toSearch(next) });
    },
    [question, navigate],
  );
  return [question, ask];
}

function keyOf(search: Readonly<Record<string, unknown>> | LogSearch): string {
  const { filter, q, since, until } = readLogSearch({ ...search });
  return JSON.stringify({ filter, q, since, until });
}
