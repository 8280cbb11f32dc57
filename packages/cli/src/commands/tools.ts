import { BaigongError, type Locale, outcomeJson, type Runtime, type StoredAsk, type ToolCapability } from 'baigong';
import pc from 'picocolors';
import { CliError } from '../cli-error.ts';
import {
  type CommandContext,
  GRACE_MS,
  isAttended,
  localPrincipal,
  openRuntime,
  toCliError,
} from '../command-context.ts';
import { exitCode } from '../exit-code.ts';
import { escapeControls } from '../terminal/escape-controls.ts';
import { fold } from '../terminal/fold.ts';
import { readText } from '../terminal/read-text.ts';
import { type CliTextKey, cliText } from '../texts.ts';
import { InlineAsking } from './inline-asking.ts';
import { listTools, ownerOf } from './list-tools.ts';
import { showOutcome } from './show-outcome.ts';
import { showHeld, showParked } from './show-parked.ts';
import { tokenCost } from './token-cost.ts';

/** `tools list` */
export async function runToolsList(context: CommandContext): Promise<number> {
  const runtime = await openRuntime(context, 'inspect');
  try {
    const { output, options, locale } = context;
    const text =
      options.output === 'text'
        ? listTools(runtime, locale, 'detailed')
        : `${JSON.stringify(
            runtime.table.tools.map((tool) => toolJson(tool, runtime)),
            undefined,
            2,
          )}\n`;
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
    output.answer(
      options.output === 'text'
        ? showTool(tool, runtime, locale)
        : `${JSON.stringify(toolJson(tool, runtime), undefined, 2)}\n`,
    );
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
  const { output, options, locale, signal, interrupt } = context;
  const rawInput = input === '-' ? await readText(process.stdin, signal) : input;
  signal.throwIfAborted();
  const runtime = await openRuntime(context, 'call');
  const leave = () => void runtime.close({ graceMs: interrupt.aborted ? 0 : GRACE_MS });
  const asks: StoredAsk[] = [];
  try {
    signal.throwIfAborted();
    const principal = localPrincipal();
    const attended = isAttended();
    const parts = { runtime, output, locale: runtime.locale, principal, onGone: leave };
    const asking = attended ? new InlineAsking(parts) : undefined;
    const shown = asking?.behind(output) ?? output;
    signal.addEventListener('abort', leave);
    const calling = runtime.call(name, rawInput, {
      ...(session === undefined ? {} : { session }),
      origin: { kind: 'cli' },
      principal,
      attended,
      signal: interrupt,
      onAsk: (ask, { holds }) => {
        asks.push(ask);
        if (asking !== undefined) asking.open(ask);
        else if (holds) output.notice(showHeld(ask, runtime.locale));
        // Nobody is at hand: it waits in the store, and this program has nothing more to do.
        else leave();
      },
      onProgress: (value) => {
        if (options.output === 'text') shown.notice(pc.dim(`… ${fold(JSON.stringify(value), 100)}\n`));
      },
    });
    const outcome = await calling.finally(() => asking?.close());
    if (options.output === 'text') return showOutcome(outcome, output, locale);
    output.answer(`${JSON.stringify(outcomeJson(outcome, locale))}\n`);
    return outcome.status === 'success' ? exitCode.ok : exitCode.call;
  } catch (error) {
    if (BaigongError.isInstance(error) && error.code === 'PARKED') {
      output.notice(showParked(asks, runtime.locale));
      if (options.output !== 'text') output.answer(`${JSON.stringify({ status: 'parked', asks })}\n`);
      return exitCode.parked;
    }
    throw toCliError(error, context);
  } finally {
    await runtime.close();
  }
}

function showTool(tool: ToolCapability, runtime: Runtime, locale: Locale): string {
  const rule = admissionOf(tool, runtime);
  const hints = Object.entries(tool.annotations).map(([name, value]) => `${name}: ${String(value)}`);
  const rows: readonly (readonly [CliTextKey, string])[] = [
    ['rowName', tool.name],
    ['rowKey', tool.key === tool.name ? '' : tool.key],
    ['rowPlugin', tool.owner.plugin.join('/')],
    ['rowOwner', ownerOf(tool)],
    ['rowSource', `${tool.source.id}, ${tool.source.provenance}, ${tool.source.via}`],
    ['rowFile', tool.source.file ?? ''],
    ['rowGeneration', String(runtime.table.generation)],
    ['rowTokens', String(tokenCost(tool))],
    ['rowUses', tool.uses.join(', ')],
    ['rowVersion', tool.version],
    ['rowSummary', tool.summary ?? ''],
    ['rowDescription', tool.description],
    ['rowReturns', tool.returns ?? ''],
    ['rowCategory', [tool.category ?? '', ...tool.tags].filter((word) => word !== '').join(', ')],
    ['rowExamples', tool.examples.join(' | ')],
    ['rowHints', hints.join(', ')],
    ['rowHidden', tool.hidden ? 'true' : ''],
    ['rowPlatforms', rule.platforms.join(', ')],
    ['rowScopes', rule.scopes.join(', ')],
    ['rowPermissions', rule.permissions.join(', ')],
    ['rowIsolation', tool.isolation === 'inline' ? `inline (${cliText('rowInline', locale)})` : tool.isolation],
    ['rowApproval', tool.dangerous ? `${tool.approval}, dangerous` : tool.approval],
    ['rowLimits', `${tool.limits.timeoutMs} ms, ${tool.limits.maxOutputChars}`],
    ['rowDigest', tool.definitionDigest],
    ['rowParameters', JSON.stringify(tool.inputSchema, undefined, 2)],
    ['rowResult', tool.outputSchema === undefined ? '' : JSON.stringify(tool.outputSchema, undefined, 2)],
  ];
  return rows
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${pc.bold(cliText(key, locale))} ${escapeControls(value)}\n`)
    .join('');
}

/** Who may have the tool, in the words in which authors write it. */
function admissionOf(tool: ToolCapability, runtime: Runtime) {
  const rule = runtime.table.admissionClasses[tool.admissionClass];
  return {
    platforms: rule?.platforms ?? [],
    scopes: rule?.scopes ?? [],
    permissions: (rule?.permissions ?? []).map((one) => (one.kind === 'role' ? `role(${one.atLeast})` : one.text)),
  };
}

function toolJson(tool: ToolCapability, runtime: Runtime) {
  const { code: _code, wire: _wire, admissionClass: _class, ownValidator: _validator, ...rest } = tool;
  const { generation } = runtime.table;
  return { ...rest, ...admissionOf(tool, runtime), generation, tokens: tokenCost(tool) };
}
