import type { Catalogue } from './catalogue.ts';

export const dispatchTexts = {
  'dispatch.unknown-tool': { en: 'There is no tool named "{tool}".', zh: '没有名为“{tool}”的工具。' },
  'dispatch.unknown-tool-hint': {
    en: 'Use only the tools that you were given.',
    zh: '只能使用已提供给你的工具。',
  },
  'dispatch.unknown-tool-near': {
    en: 'Did you mean {names}? Use only the tools that you were given.',
    zh: '是否想用 {names}？只能使用已提供给你的工具。',
  },
  'dispatch.not-json': {
    en: 'The arguments of {tool} are not valid JSON: {reason}',
    zh: '{tool} 的参数不是合法的 JSON：{reason}',
  },
  'dispatch.not-an-object': {
    en: 'The arguments of {tool} must be a JSON object, not: {found}.',
    zh: '{tool} 的参数必须是 JSON 对象，而不是 {found}。',
  },
  'dispatch.too-deep': {
    en: 'The arguments of {tool} are nested more than {limit} levels deep.',
    zh: '{tool} 的参数嵌套超过 {limit} 层。',
  },
  'dispatch.send-object': {
    en: 'Send one JSON object that fits the tool’s parameters.',
    zh: '请发送一个符合该工具参数定义的 JSON 对象。',
  },
  'dispatch.invalid-arguments': {
    en: 'The arguments of {tool} do not fit its parameters: {faults}',
    zh: '{tool} 的参数不符合定义：{faults}',
  },
  'dispatch.fix-arguments': {
    en: 'Correct the arguments named in the message and call the tool again.',
    zh: '请改正上面指出的参数后重新调用。',
  },
  'dispatch.repeated': {
    en: '{tool} was called with the same arguments {count} times in this turn and was not run again.',
    zh: '本回合已用相同参数调用 {tool} {count} 次，不再执行。',
  },
  'dispatch.repeated-hint': {
    en: 'Use the earlier result, change the arguments, or answer without this call.',
    zh: '请使用之前的结果、换用其他参数，或不再调用而直接回答。',
  },
  'dispatch.denied': { en: '{tool} was not run: it was denied.', zh: '未执行 {tool}：已被拒绝。' },
  'dispatch.denied-because': {
    en: '{tool} was not run: it was denied. Reason given: {reason}',
    zh: '未执行 {tool}：已被拒绝。给出的理由：{reason}',
  },
  'dispatch.refused-along': {
    en: '{tool} was not run: another call of its kind in this turn was denied or not answered.',
    zh: '未执行 {tool}：本回合中同类的另一个调用已被拒绝或无人回应。',
  },
  'dispatch.nobody-answered': {
    en: '{tool} was not run: it needs an approval, and nobody answered in time.',
    zh: '未执行 {tool}：它需要审批，但在限定时间内无人回应。',
  },
  'dispatch.refused-hint': {
    en: 'It was refused and needs a person. Do not retry, and do not try another way to the same end; tell the user.',
    zh: '该操作已被拒绝，需要由人决定。不要重试，也不要换一种方式达到同样的目的；请告知用户。',
  },
  'dispatch.definition-changed': {
    en: '{tool} was not run: since it was asked about, the tool itself has changed.',
    zh: '未执行 {tool}：在等待审批期间，该工具本身已被更改。',
  },
  'dispatch.definition-changed-hint': {
    en: 'Nothing happened. If it is still wanted, call the tool as it is now; it is asked about anew.',
    zh: '没有执行任何操作。如仍需要，请按现在的工具定义重新调用，届时会再次审批。',
  },
  'dispatch.fate-unknown': {
    en: '{tool} had started when the program was interrupted; how far it came is not known.',
    zh: '程序中断时 {tool} 已经开始执行，执行到哪一步未知。',
  },
  'dispatch.call-again': { en: 'It only reads; it may be called again.', zh: '它只读取数据，可以重新调用。' },
  'dispatch.invoke-differs': {
    en: '{tool} was not run: when this code ran before, it made another call at this place.',
    zh: '未执行 {tool}：这段代码上次运行时，在此处发起的是另一个调用。',
  },
  'dispatch.cancelled': { en: '{tool} was cancelled.', zh: '{tool} 已被取消。' },
  'dispatch.cancelled-hint': { en: 'Do not retry unless the user asks.', zh: '除非用户要求，否则不要重试。' },
  'dispatch.timeout': {
    en: '{tool} was ended at its time limit of {limitMs} ms.',
    zh: '{tool} 超过 {limitMs} 毫秒的时间限制，已终止。',
  },
  'dispatch.timeout-hint': {
    en: 'Try a smaller task or answer without this tool.',
    zh: '请缩小任务，或不使用该工具直接回答。',
  },
  'dispatch.may-have-happened': {
    en: 'It may have happened all the same: check before doing anything, do not repeat it.',
    zh: '操作可能已经生效：请先核实，不要重复执行。',
  },
  'dispatch.execution-error': { en: '{tool} failed: {reason}', zh: '{tool} 执行失败：{reason}' },
  'dispatch.execution-error-hint': {
    en: 'Read the reason; if other arguments may help, try once more, else tell the user.',
    zh: '请查看失败原因；若更换参数可能有效，可再试一次，否则请告知用户。',
  },
  'dispatch.upstream-hint': {
    en: 'Other arguments will not help. Tell the user that the service is unavailable now and to try again later.',
    zh: '更换参数无济于事。请告诉用户该服务暂时不可用，稍后再试。',
  },
  'dispatch.input-hint': {
    en: 'Try other arguments or ask the user.',
    zh: '请更换参数，或询问用户。',
  },
  'dispatch.invalid-result': {
    en: '{tool} ran, but its result cannot be used: {reason}',
    zh: '{tool} 已执行，但结果无法使用：{reason}',
  },
  'dispatch.invalid-result-hint': {
    en: 'Do not call it again with the same arguments: the fault is in the tool. Tell the user.',
    zh: '不要用相同参数再次调用：问题出在工具本身。请告知用户。',
  },
  'dispatch.access-denied-hint': {
    en: 'The same call will be refused again. Tell the user what was refused and why.',
    zh: '同样的调用仍会被拒绝。请告诉用户什么被拒绝以及原因。',
  },
  'dispatch.not-permitted-hint': {
    en: 'Do not retry. Tell the user that this is not permitted.',
    zh: '不要重试。请告诉用户该操作不被允许。',
  },
  'dispatch.rate-limited-hint': {
    en: 'Do not call it again in this turn. Tell the user to try later.',
    zh: '本回合内不要再次调用。请告诉用户稍后再试。',
  },
  'dispatch.invoke-too-deep': {
    en: '{tool} was not run: calls made by tools are already {limit} deep.',
    zh: '未执行 {tool}：由工具发起的调用已达到 {limit} 层。',
  },
  'dispatch.invoke-cycle': {
    en: '{tool} was not run: it waits for this very call, and would call itself in a circle.',
    zh: '未执行 {tool}：它正在等待本次调用，会形成循环调用。',
  },
  'dispatch.invoke-too-many': {
    en: 'One call of a tool can make at most {limit} calls of others. Do more work in each of them.',
    zh: '工具的一次调用最多可以发起 {limit} 次其他调用。请让每次调用完成更多工作。',
  },
  'dispatch.invoke-hint': {
    en: 'The fault is in how the tools call one another. Do not retry; tell the user.',
    zh: '问题出在工具之间的相互调用。不要重试，请告知用户。',
  },
  'dispatch.ask-malformed': {
    en: 'The request {operation} of the tool’s code was not understood; expected {expected}. Use the members of context, which send it as it must be.',
    zh: '无法理解工具代码的请求 {operation}；应为 {expected}。请使用 context 的成员，它们会发送正确的格式。',
  },
  'dispatch.method-not-remote': {
    en: 'The service "{token}" lets tools in other processes call {methods}, not "{method}". Its provider can add it: `provide(token, value, { remote: [\'{method}\'] })`.',
    zh: "服务“{token}”只允许其他进程的工具调用 {methods}，不包括“{method}”。提供者可以添加：`provide(token, value, { remote: ['{method}'] })`。",
  },
  'dispatch.method-missing': {
    en: 'The service "{token}" has no method "{method}", although its provider declares it as remote.',
    zh: '服务“{token}”没有方法“{method}”，尽管提供者声明它可以远程调用。',
  },
  'dispatch.service-not-json': {
    en: '{token}.{method} returned {found} at {where}, which is not JSON and cannot be passed to another process.',
    zh: '{token}.{method} 的返回值在 {where} 处含有 {found}，不是 JSON，无法传给其他进程。',
  },
  'dispatch.internal': {
    en: 'The call of {tool} failed through a fault of the runtime.',
    zh: '由于运行时内部错误，{tool} 调用失败。',
  },
  'dispatch.internal-hint': {
    en: 'Do not retry. Tell the user; the record of the turn holds the details.',
    zh: '不要重试。请告知用户；详情见本回合的记录。',
  },
  'dispatch.cut': {
    en: '[cut: the first {shown} of {total} characters are shown]',
    zh: '[已截断：共 {total} 个字符，仅显示前 {shown} 个]',
  },
  'dispatch.fault': {
    en: '{where}: expected {expected}, found {found}',
    zh: '{where}：应为 {expected}，实际为 {found}',
  },
  'dispatch.fault-whole': { en: '{where}: expected {expected}', zh: '{where}：应为 {expected}' },
  'dispatch.fault-own': { en: '{where}: {reason}', zh: '{where}：{reason}' },
  'dispatch.fault-inexact': {
    en: '{where}: expected {expected}, found {digits}, which a JSON number cannot hold exactly; send it as a string',
    zh: '{where}：应为 {expected}，实际为 {digits}，JSON 数字无法精确表示它；请以字符串发送',
  },
  'dispatch.nothing': { en: 'nothing', zh: '空' },
  'dispatch.expect-quick': {
    en: 'something that can be checked within {limitMs} ms',
    zh: '能在 {limitMs} 毫秒内完成校验的内容',
  },
  'dispatch.expect-required': { en: 'a value (required)', zh: '一个值（必填）' },
  'dispatch.expect-no-property': { en: 'no such property', zh: '没有该属性' },
  'dispatch.expect-one-of': { en: 'one of {values}', zh: '{values} 之一' },
  'dispatch.expect-date-time': {
    en: 'ISO 8601, e.g. 2024-06-20T10:00:00Z',
    zh: 'ISO 8601 格式，例如 2024-06-20T10:00:00Z',
  },
  'dispatch.expect-format': { en: 'the format {format}', zh: '{format} 格式' },
  'dispatch.expect-pattern': { en: 'a match of {pattern}', zh: '符合正则 {pattern}' },
  'dispatch.expect-multiple': { en: 'a multiple of {divisor}', zh: '{divisor} 的倍数' },
  'dispatch.expect-characters': { en: '{count} characters', zh: '字符数 {count}' },
  'dispatch.expect-items': { en: '{count} items', zh: '项数 {count}' },
  'dispatch.expect-properties': { en: '{count} properties', zh: '属性数 {count}' },
  'dispatch.expect-unique': { en: 'items that all differ', zh: '各项互不相同' },
  'dispatch.expect-not': { en: 'a value that the schema does not exclude', zh: '未被模式排除的值' },
  'dispatch.expect-alternative': { en: 'one of the alternatives of the schema', zh: '模式允许的某一种形式' },
  'dispatch.expect-keyword': { en: 'what "{keyword}" in the schema demands', zh: '满足模式中“{keyword}”的要求' },
  'dispatch.more-faults': { en: 'and {count} more', zh: '另有 {count} 处' },
  'dispatch.whole': { en: 'the arguments', zh: '整个参数' },
  'dispatch.whole-result': { en: 'the result', zh: '整个结果' },
} as const satisfies Catalogue;
