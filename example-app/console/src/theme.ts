import { createTheme, type MantineColorsTuple } from "@mantine/core";

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
    Alert: { styles: { title: { color: "var(--mantine-color-text)" } } },
    Badge: { styles: { label: { color: "var(--mantine-color-text)" } } },
    Paper: { defaultProps: { bg: "light-dark(#fff, var(--mantine-color-dark-6))" } },
  },
});
