import { useDebouncedValue } from "@mantine/hooks";
import { useRouter, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { NO_QUESTION, readTried, type Question } from "../../parts/tried.js";
import { questionOf, readSearch, toSearch, type Moment } from "./search.js";

/** The pause after the last key before a request is sent, in milliseconds. */
const DEBOUNCE_MS = 150;

/** What the page asks: at first what its address says, or what was tried last. The address follows it, and a new one asks anew. */
export function useAsked() {
  const search = useSearch({ from: "/" });
  const [question, setQuestion] = useState<Question>(() => questionOf(search) ?? readTried()[0] ?? NO_QUESTION);
  const [moment, setMoment] = useState<Moment>(() => ({ at: search.at, revision: search.revision }));
  const [asked] = useDebouncedValue(question, DEBOUNCE_MS);
  const router = useRouter();
  const isBare = Object.keys(search).length === 0;
  const address = JSON.stringify(readSearch({ ...search }));
  const known = useRef(address);
  useEffect(() => {
    if (address === known.current) return;
    known.current = address;
    const { at, revision, ...others } = readSearch(JSON.parse(address) as Record<string, unknown>);
    const next = questionOf(others);
    if (!next) return;
    setQuestion(next);
    setMoment({ at, revision });
  }, [address]);
  useEffect(() => {
    const next = toSearch(trimmed(asked), moment);
    const isLeft = router.latestLocation.pathname !== "/"; // another page is on its way
    if (!isLeft && !(isBare && Object.keys(next).length === 0)) {
      known.current = JSON.stringify(readSearch({ ...next }));
      void router.navigate({ to: "/", search: next, replace: true });
    }
  }, [asked, moment, isBare, router]);
  return { question, setQuestion, moment, setMoment, asked };
}

export function trimmed(question: Question): Question {
  return { ...question, login: question.login.trim() };
}
