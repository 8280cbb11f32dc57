import { outcomeJson, renderText, type ToolCapability } from 'baigong';
import pc from 'picocolors';
import { CliError } from '../cli-error.ts';
import { type CommandContext, localPrincipal, openRuntime, toCliError } from '../command-context.ts';
import { exitCode } from '../exit-code.ts';
import { escapeControls } from '../terminal/escape-controls.ts';
import { fold } from '../terminal/fold.ts';
import { cliText } from '../texts.ts';
import { listTools } from './list-tools.ts';

/** `tools list` */
export async function runToolsList(context: CommandContext): Promise<number> {
  const runtime = await openRuntime(context, 'inspect');
  try {
    const { output, options, locale } = context;
    const text =
      options.output === 'text'
        ? listTools(runtime, locale)
        : `${JSON.stringify(runtime.table.tools.map(toolJson), undefined, 2)}\n`;
    output.answer(text);
    return exitCode.ok;
  } finally {
    await runtime.close();
  }
}

/** `tools show <name>` */
export async function runToolsShow(context: CommandContext, name: string): Promise<number> {
  const runtime = await openRuntime(context, 'inspect');
  try {
    const { output, options, locale } = context;
    const tool = runtime.table.get(name);
    if (tool === undefined) {
      throw new CliError(cliText('noTool', locale, { name: fold(name, 64) }), exitCode.usage);
    }
    output.answer(options.output === 'text' ? showTool(tool) : `${JSON.stringify(toolJson(tool), undefined, 2)}\n`);
    return exitCode.ok;
  } finally {
    await runtime.close();
  }
}

/** `tools call <name> <json>` */
export async function runToolsCall(
  context: CommandContext,
  name: string,
  input: string,
  session: string | undefined,
): Promise<number> {
  const { output, options, locale, signal } = context;
  const rawInput = input === '-' ? await readStandardInput() : input;
  const runtime = await openRuntime(context, 'work');
  try {
    const outcome = await runtime.call(name, rawInput, {
      ...(session === undefined ? {} : { session }),
      origin: { kind: 'cli' },
      principal: localPrincipal(),
      signal,
      onProgress: (value) => {
        if (options.output === 'text') output.notice(pc.dim(`… ${fold(JSON.stringify(value), 100)}\n`));
      },
    });
    if (options.output !== 'text') output.answer(`${JSON.stringify(outcomeJson(outcome, locale))}\n`);
    else if (outcome.status === 'success') {
      const { value } = outcome.result;
      const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
      output.answer(`${output.isTerminal ? escapeControls(text) : text}\n`);
    } else {
      const { code, message, hint } = outcome;
      const lines = [`${code}: ${renderText(message, locale)}`, renderText(hint, locale)];
      output.notice(`${lines.map(escapeControls).join('\n')}\n`);
    }
    return outcome.status === 'success' ? exitCode.ok : exitCode.call;
  } catch (error) {
    throw toCliError(error, context);
  } finally {
    await runtime.close();
  }
}

async function readStandardInput(): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return new TextDecoder('utf-8').decode(Buffer.concat(chunks));
}

function showTool(tool: ToolCapability): string {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['name', tool.name],
    ['file', tool.source.file],
    ['version', tool.version],
    ['description', tool.description],
    ['returns', tool.returns],
    ['isolation', tool.isolation],
    ['approval', tool.dangerous ? `${tool.approval} (dangerous)` : tool.approval],
    ['limits', `${tool.limits.timeoutMs} ms, ${tool.limits.maxOutputChars} characters`],
    ['digest', tool.definitionDigest],
  ];
  const head = rows
    .filter((row): row is readonly [string, string] => row[1] !== undefined)
    .map(([name, value]) => `${pc.bold(name.padEnd(12))} ${escapeControls(value)}\n`)
    .join('');
  return `${head}${pc.bold('parameters')}\n${JSON.stringify(tool.inputSchema, undefined, 2)}\n`;
}

function toolJson(tool: ToolCapability) {
  const { code: _code, wire: _wire, admissionClass: _class, ownValidator: _validator, ...rest } = tool;
  return rest;
}
