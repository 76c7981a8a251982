// Reads exported symbols with the compiler: their signatures, members and doc comments. The native compiler has no stable API yet, so
// this uses TypeScript 5.9, which the packages are tested with anyway.
import { join } from 'node:path';
import ts from 'typescript-5';

const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;

/** Members of computed types carry no comment of their own. */
const computed = {
  'PeriodicTask.bullmq': 'The BullMQ queue that gets a job instead of a handler of ours; see `BullmqInput`.',
};

export class Reader {
  /** What has no comment, or is not exported. */
  problems = [];
  #checker;
  #exports = new Map();

  constructor(root, entryPoints) {
    const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} };
    const { options } = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.json'), {}, host);
    const files = Object.values(entryPoints).map((file) => join(root, file));
    const program = ts.createProgram(files, options);
    this.#checker = program.getTypeChecker();
    for (const [name, file] of Object.entries(entryPoints)) {
      const module = this.#checker.getSymbolAtLocation(program.getSourceFile(join(root, file)));
      const found = this.#checker.getExportsOfModule(module).map((each) => [each.name, this.#resolved(each)]);
      this.#exports.set(name, new Map(found));
    }
  }

  /** An export as `{ name, kind, comment, signatures, members }`. */
  read(entryPoint, name) {
    const symbol = this.#exports.get(entryPoint)?.get(name);
    if (symbol === undefined) throw new Error(`${entryPoint} exports no ${name}`);
    const comment = this.#comment(symbol, `${entryPoint}: ${name}`);
    if (symbol.flags & ts.SymbolFlags.Function) {
      return { name, kind: 'function', comment, signatures: this.#signatures(symbol, name), members: [] };
    }
    const type = this.#checker.getDeclaredTypeOfSymbol(symbol);
    const isClass = (symbol.flags & ts.SymbolFlags.Class) !== 0;
    if (type.isUnion()) return { name, kind: 'union', comment, members: this.#variants(type, name) };
    const members = this.#members(type, name);
    const statics = isClass ? this.#statics(symbol, name) : [];
    return { name, kind: isClass ? 'class' : 'type', comment, members: [...statics, ...members] };
  }

  #resolved(symbol) {
    return symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }

  #comment(symbol, where) {
    const own = ts.displayPartsToString(symbol.getDocumentationComment(this.#checker)).trim();
    const text = own === '' ? (computed[where] ?? '') : own;
    if (text === '') this.problems.push(`${where} has no doc comment`);
    // Parts with an odd index are fenced code, whose lines stay as they are.
    return text
      .split(/(^```[\s\S]*?^```$)/m)
      .map((part, index) => (index % 2 === 1 ? part : joined(part)))
      .join('');
  }

  #members(type, owner) {
    return this.#checker
      .getPropertiesOfType(type)
      .filter(isPublic)
      .map((property) => this.#member(property, owner));
  }

  #statics(symbol, owner) {
    const type = this.#checker.getTypeOfSymbol(symbol);
    return this.#checker
      .getPropertiesOfType(type)
      .filter((each) => each.name !== 'prototype' && isPublic(each))
      .map((each) => this.#member(each, owner));
  }

  #member(property, owner) {
    const type = this.#checker.getTypeOfSymbol(property);
    const where = `${owner}.${property.name}`;
    const comment = this.#comment(property, where);
    const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
    const isMethod = (property.flags & ts.SymbolFlags.Method) !== 0;
    const signatures = isMethod ? this.#signatures(property, property.name) : [];
    return {
      name: property.name,
      isMethod,
      isOptional,
      comment,
      signatures,
      type: this.#text(isOptional ? this.#checker.getNonNullableType(type) : type),
    };
  }

  /** The signatures as a caller writes them; overloads hide the signature of the body. */
  #signatures(symbol, name) {
    const type = this.#checker.getTypeOfSymbol(symbol);
    return type
      .getCallSignatures()
      .map((each) => `${name}${this.#checker.signatureToString(each, undefined, flags)}`);
  }

  /** The objects of a tagged union, such as events, each by its tag. */
  #variants(type, owner) {
    return type.types
      .filter((each) => each.flags & ts.TypeFlags.Object)
      .map((each) => {
        const tag = this.#checker.getPropertyOfType(each, 'type');
        const name =
          tag === undefined ? '' : this.#text(this.#checker.getTypeOfSymbol(tag)).replaceAll('"', '');
        const { symbol } = each;
        const fields = this.#checker
          .getPropertiesOfType(each)
          .filter((field) => field.name !== 'type')
          .map((field) => `${field.name}: ${this.#text(this.#checker.getTypeOfSymbol(field))}`);
        return {
          name,
          comment: symbol === undefined ? '' : this.#comment(symbol, `${owner} ${name}`),
          isMethod: false,
          isOptional: false,
          signatures: [],
          type: `{ ${fields.join('; ')} }`,
        };
      });
  }

  #text(type) {
    return this.#checker.typeToString(type, undefined, flags).replaceAll(/import\("[^"]+"\)\./g, '');
  }
}

/** What a reader may use: nothing private, nothing that every `Error` has. */
function isPublic({ name, valueDeclaration }) {
  if (name.startsWith('__') || name.startsWith('#')) return false;
  if (valueDeclaration === undefined) return true;
  if (/node_modules/.test(valueDeclaration.getSourceFile().fileName)) return false;
  if (
    name === 'name' &&
    ts.isPropertyDeclaration(valueDeclaration) &&
    valueDeclaration.initializer !== undefined
  )
    return false;
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  return (ts.getCombinedModifierFlags(valueDeclaration) & hidden) === 0;
}

/** Text with its lines joined; empty lines still separate paragraphs. */
function joined(text) {
  return text.replaceAll(/\n(?!\n)(?<!\n\n)/g, ' ').replaceAll(/ {2,}/g, ' ');
}
