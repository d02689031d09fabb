"use strict";

/**
 * node check-types.cjs COMPILER, and for each consumer "FOLDER OPTION…": prints the version of the compiler and what it says of
 * their files and of the declarations of the package. To check all others took half of the time.
 */
const [compiler, ...consumers] = process.argv.slice(2);
const ts = require(compiler);

function check(consumer) {
  const [folder, ...flags] = consumer.split(" ");
  const faults = [];
  const system = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (fault) => faults.push(fault) };
  const { options: changes } = ts.parseCommandLine(flags);
  const { options, fileNames, errors } = ts.getParsedCommandLineOfConfigFile(
    `${folder}/tsconfig.json`,
    changes,
    system,
  );
  const host = ts.createCompilerHost(options);
  host.jsDocParsingMode = ts.JSDocParsingMode.ParseForTypeErrors;
  const program = ts.createProgram(fileNames, options, host);
  const isChecked = ({ fileName }) => fileNames.includes(fileName) || fileName.includes("/node_modules/etiquette/");
  const files = program.getSourceFiles().filter(isChecked);
  faults.push(...errors, ...program.getOptionsDiagnostics(), ...program.getSyntacticDiagnostics());
  faults.push(...program.getGlobalDiagnostics(), ...files.flatMap((file) => program.getSemanticDiagnostics(file)));
  return [files.length, ts.formatDiagnostics(faults, host)];
}

process.stdout.write(JSON.stringify({ version: ts.version, checked: consumers.map(check) }));
