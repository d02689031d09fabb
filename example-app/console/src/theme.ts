import {
  Alert,
  Badge,
  createTheme,
  NavLink,
  Paper,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from "@mantine/core";

const petrol: MantineColorsTuple = [
  "#e6f6f6",
  "#d3e9ea",
  "#a7d2d4",
  "#78babe",
  "#51a6ab",
  "#38999f",
  "#0f7b82",
  "#0b6c72",
  "#015e64",
  "#004f55",
];

export const theme = createTheme({
  primaryColor: "petrol",
  primaryShade: { light: 7, dark: 6 },
  colors: { petrol },
  defaultRadius: "md",
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
  headings: { fontWeight: "650" },
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Alert: Alert.extend({ styles: { title: { color: "var(--mantine-color-text)" } } }),
    Badge: Badge.extend({ styles: { label: { color: "var(--mantine-color-text)" } } }),
    Paper: Paper.extend({ defaultProps: { bg: "light-dark(#fff, var(--mantine-color-dark-6))" } }),
    NavLink: NavLink.extend({ styles: { root: { borderRadius: "var(--mantine-radius-md)" } } }),
  },
});

/** Grey text that has a contrast of 4.5 to 1 also on the grey of the page (WCAG 2.2, 1.4.3). */
export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-body": "#f7f9fa",
    "--mantine-color-dimmed": "#59616a",
    "--mantine-color-placeholder": "#6b737b",
    "--mantine-color-error": "#c92a2a",
  },
  dark: {
    "--mantine-color-dimmed": "#a9b0b8",
    "--mantine-color-placeholder": "#9aa1a9",
    "--mantine-color-error": "#ff8787",
  },
});
