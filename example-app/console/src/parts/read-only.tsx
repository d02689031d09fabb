import { MantineThemeProvider, type MantineThemeOverride } from "@mantine/core";
import type { ReactNode } from "react";

const DISABLED = { defaultProps: { disabled: true } };

const THEME: MantineThemeOverride = { components: { Input: DISABLED, Checkbox: DISABLED, Switch: DISABLED } };

/** Fields that one may only look at. A disabled fieldset would disable the help beside them, too. */
export function ReadOnly({ children }: Readonly<{ children: ReactNode }>) {
  return <MantineThemeProvider theme={THEME}>{children}</MantineThemeProvider>;
}
