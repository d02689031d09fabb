import { parseCommandLine } from "../../../src/program/command-line.js";
import { formatCall } from "../../../src/program/commands/command.js";
import { COMMANDS, FLAGS } from "../../../src/program/commands/index.js";
import { formatHelp } from "../../../src/program/help.js";
import { isSettingName } from "../../../src/program/settings/index.js";

describe("COMMANDS", () => {
  it.each(COMMANDS.map((command) => [command.name, command] as const))("--help shows %s", (_, command) => {
    const lines = formatHelp().split("\n");
    const index = lines.findIndex((line) => line.slice(7).startsWith(`${formatCall(command)} [settings]`));
    expect(index).toBeGreaterThan(-1);
    const text = lines.slice(index, index + 4).map((line) => line.slice(46));
    expect(text.join(" ").replaceAll(/ +/g, " ")).toContain(command.help);
  });

  it("have no flag that is a setting", () => {
    expect(Object.keys(FLAGS).filter(isSettingName)).toEqual([]);
  });

  it("take a value for a flag, or all take none", () => {
    for (const [name, { placeholder }] of Object.entries(FLAGS)) {
      for (const { flags = {} } of COMMANDS) {
        if (flags[name]) expect([name, flags[name].placeholder]).toEqual([name, placeholder]);
      }
    }
  });

  it("are selected by words, not by one argument with a space", () => {
    expect(() => parseCommandLine(["org list"], {})).toThrow('Unknown command "org list"');
    expect(parseCommandLine(["org", "list"], {})).toMatchObject({ name: "org list" });
  });

  it.each([
    [["org"], "org needs one of the words list, suspend, activate and remove, such as org list"],
    [["org", "suspend"], "org suspend needs the subdomain of an org, such as acme"],
    [["org", "list", "acme"], 'Unexpected argument "acme"; --help lists what there is'],
    [["org", "list", "--yes"], "--yes is for org remove only"],
    [["org", "remove", "acme", "--yes", "--yes"], "--yes is given twice"],
    [["doctor", "x"], 'Unexpected argument "x"; --help lists what there is'],
    [["toString"], 'Unknown command "toString"; --help lists what there is'],
    [["--toString"], "Unknown setting --toString; --help lists what there is"],
  ])("refuse %j", (args, message) => {
    expect(() => parseCommandLine(args, {})).toThrow(expect.objectContaining({ name: "SettingsError", message }));
  });
});
