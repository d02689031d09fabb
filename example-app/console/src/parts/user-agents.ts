import { parts } from "../texts/en/parts.js";

interface UserAgent {
  /** In addresses. */
  readonly name: string;
  /** In the person's language. */
  readonly label: string;
  readonly value: string;
}

/** Clients to imagine. */
export const USER_AGENTS: readonly UserAgent[] = [
  {
    name: "iPhone",
    label: "iPhone",
    value:
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  },
  {
    name: "Android phone",
    get label() {
      return parts.androidPhone;
    },
    value:
      "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36",
  },
  {
    name: "Windows",
    label: "Windows",
    value:
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36",
  },
  {
    name: "Mac",
    label: "Mac",
    value:
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
  },
  { name: "curl", label: "curl", value: "curl/8.5.0" },
];
