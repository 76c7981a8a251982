// Every type that a public signature mentions must be exported by some public entry point, or users cannot name it.
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** `entries`: declaration files of the public entry points below `folder`. Returns `Type (mentioned by Export)`. */
export function unexportedTypes(tools, folder, entries) {
  const ts = createRequire(join(tools, 'x.js'))('ts59');
  const program = ts.createProgram(
    entries.map((file) => join(folder, file)),
    {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      skipLibCheck: true,
      types: [],
    },
  );
  const checker = program.getTypeChecker();
  const plain = (symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);
  const exported = new Map();
  for (const file of entries) {
    const module = checker.getSymbolAtLocation(program.getSourceFile(join(folder, file)));
    for (const symbol of checker.getExportsOfModule(module)) exported.set(plain(symbol), symbol.name);
  }
  const isOurs = (symbol) =>
    symbol.declarations?.some((each) => each.getSourceFile().fileName.startsWith(folder));
  const missing = new Set();
  for (const [symbol, name] of exported) {
    if (!isOurs(symbol)) continue;
    for (const declaration of symbol.declarations) visit(declaration, name);
  }
  return [...missing].sort();

  function visit(node, owner) {
    const isHidden = node.modifiers?.some((each) => each.kind === ts.SyntaxKind.PrivateKeyword);
    if (isHidden) return;
    const name = ts.isTypeReferenceNode(node)
      ? node.typeName
      : ts.isImportTypeNode(node)
        ? node.qualifier
        : undefined;
    const found = name === undefined ? undefined : checker.getSymbolAtLocation(name);
    const symbol = found === undefined ? undefined : plain(found);
    if (symbol !== undefined && isNamed(symbol) && isOurs(symbol) && !exported.has(symbol))
      missing.add(`${symbol.name} (mentioned by ${owner})`);
    ts.forEachChild(node, (child) => visit(child, owner));
  }

  function isNamed(symbol) {
    return (symbol.flags & (ts.SymbolFlags.Type & ~ts.SymbolFlags.TypeParameter)) !== 0;
  }
}
