import { Anchor } from "@mantine/core";
import { useEffect, useId, useRef } from "react";
import { help } from "../texts/en/help.js";
import { loadHelpTexts } from "../texts/load-help.js";
import { API_OPERATIONS } from "./api-operations.js";
import type { Term } from "./help.js";
import "./help.css";

/** Between the text and its button, and between the text and the edge of the window. */
const GAP = 4;
const MARGIN = 8;

/** With less room below its button, the text is above it if there is more. */
const ROOM = 240;

/** Escape closes this, and not the form around it. */
const OWN_ESCAPE = { "data-mantine-stop-propagation": true };

interface HelpTextProps {
  term: Term;
  /** The question that it answers. */
  label: string;
}

/** Reads the texts before one is shown. */
export async function readHelpText() {
  await loadHelpTexts();
  return HelpText;
}

/** What a term means. It takes the focus, and closes when the focus goes on. */
function HelpText({ term, label }: Readonly<HelpTextProps>) {
  const box = useRef<HTMLSpanElement>(null);
  const id = useId();
  useEffect(() => {
    const text = box.current;
    const popover = text?.parentElement;
    const button = popover?.previousElementSibling;
    if (!text || !popover || !button) return undefined;
    const place = () => {
      placeAt(popover, button.getBoundingClientRect());
    };
    const leave = ({ relatedTarget: next }: FocusEvent) => {
      if (next instanceof Node && next !== button && !popover.contains(next)) popover.hidePopover();
    };
    place();
    text.focus({ preventScroll: true });
    popover.addEventListener("focusout", leave);
    window.addEventListener("scroll", place, true);
    window.addEventListener("resize", place);
    return () => {
      popover.removeEventListener("focusout", leave);
      window.removeEventListener("scroll", place, true);
      window.removeEventListener("resize", place);
    };
  }, []);
  return (
    <span
      ref={box}
      className="help-box"
      role="dialog"
      aria-label={label}
      aria-describedby={id}
      tabIndex={-1}
      {...OWN_ESCAPE}
    >
      <span id={id}>{help[term]}</span>
      <Anchor
        inherit
        underline="always"
        href={`/api/docs#/${API_OPERATIONS[term]}`}
        target="_blank"
        rel="noreferrer"
        {...OWN_ESCAPE}
      >
        {help.apiDocs}
      </Anchor>
    </span>
  );
}

/** Below the button, or above it where there is more room, and within the window. */
function placeAt({ style, offsetWidth }: HTMLElement, { left, top, bottom }: DOMRect): void {
  const { clientWidth, clientHeight } = document.documentElement;
  const below = clientHeight - bottom;
  const isBelow = below >= ROOM || below >= top;
  style.left = `${Math.max(MARGIN, Math.min(left, clientWidth - offsetWidth - MARGIN))}px`;
  style.top = isBelow ? `${bottom + GAP}px` : "auto";
  style.bottom = isBelow ? "auto" : `${clientHeight - top + GAP}px`;
  style.maxHeight = `${(isBelow ? below : top) - GAP - MARGIN}px`;
}
