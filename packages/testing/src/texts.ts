import type { ReceivedRequest } from './received-request.ts';
import type { Expected, ScriptProblem } from './script-problem.ts';

export type Language = 'zh' | 'en';

/** All that this package says to people. Error bodies on the wire are English, as the providers' are. */
export interface Texts {
  readonly help: string;
  listening(baseUrl: string): string;
  request(request: ReceivedRequest): string;
  badArguments(reason: string): string;
  badPort(port: string): string;
  portTaken(port: number): string;
  cannotListen(port: number, reason: string): string;
  cannotRead(file: string, reason: string): string;
  cannotRecord(file: string, reason: string): string;
  badScript(file: string, problems: readonly ScriptProblem[]): string;
  demoReport(messages: number, tools: readonly string[]): string;
  demoResult(tool: string, result: string): string;
}

/** The catalogue of a language. */
export function textsFor(language: Language): Texts {
  return language === 'zh' ? chinese : english;
}

const expectedInEnglish: Readonly<Record<Expected, string>> = {
  object: 'must be an object',
  list: 'must be a list',
  string: 'must be a string',
  boolean: 'must be true or false',
  count: 'must be a whole number, 0 or more',
  'positive-count': 'must be a whole number, 1 or more',
  'switch-or-count': 'must be true, false, or a whole number of events',
  status: 'must be an HTTP status from 200 to 599',
  role: 'must be "user" or "tool"',
  'event-text': 'must be a string or a list of strings',
};

const english: Texts = {
  help: `A scripted model on 127.0.0.1 that speaks OpenAI's and Anthropic's format.

Usage: npm run scripted-model -- [options]

  --script FILE   play the answers of this JSON file (without it: a demo that
                  calls the tool you name, and tells what it received)
  --port N        port to listen on, 0 for any free one (default 4010)
  --record FILE   append every request to this file, one JSON object a line
  --lenient       also answer requests the real provider would refuse
  --help          show this

Ctrl+C ends it. Exit code 2: it could not start.`,
  listening: (baseUrl) =>
    `The scripted model listens at ${baseUrl} (Ctrl+C ends it). Put one of these before a command:`,
  request: (request) => {
    const { answer } = request;
    const what = answer.kind === 'scripted' ? `answer ${answer.position}` : answer.kind;
    const why = 'message' in answer ? `: ${answer.message}` : '';
    return `#${request.index} ${request.method} ${request.path} -> ${what}${why}`;
  },
  badArguments: (reason) => `The arguments cannot be used: ${reason}\nRun with --help to see the options.`,
  badPort: (port) => `--port ${port} is no port: give a whole number from 0 to 65535.`,
  portTaken: (port) => `Port ${port} is taken by another program. End that program, or give another port with --port.`,
  cannotListen: (port, reason) => `Cannot listen on port ${port}: ${reason}`,
  cannotRead: (file, reason) => `The script ${file} cannot be read: ${reason}`,
  cannotRecord: (file, reason) => `Requests cannot be recorded to ${file}: ${reason}`,
  badScript: (file, problems) =>
    [`The script ${file} has ${problems.length === 1 ? '1 mistake' : `${problems.length} mistakes`}:`]
      .concat(problems.map((problem) => `  ${problem.path || 'file'}: ${problemInEnglish(problem)}`))
      .join('\n'),
  demoReport: (messages, tools) =>
    `I received ${messages} ${messages === 1 ? 'message' : 'messages'} and ${
      tools.length === 0 ? 'no tools' : `the tools ${tools.join(', ')}`
    }.`,
  demoResult: (tool, result) => `The result of ${tool} is “${result}”.`,
};

function problemInEnglish(problem: ScriptProblem): string {
  switch (problem.code) {
    case 'not-json':
      return `is no JSON: ${problem.reason}`;
    case 'wrong-type':
      return expectedInEnglish[problem.expected];
    case 'unknown-key':
      return problem.nearest === undefined
        ? `unknown key; known are ${problem.known.join(', ')}`
        : `unknown key; did you mean "${problem.nearest}"?`;
    case 'missing':
      return 'is missing';
    case 'empty-list':
      return 'must not be empty';
    case 'bad-pattern':
      return `is no regular expression: ${problem.reason}`;
    case 'exclusive':
      return `has both "${problem.keys[0]}" and "${problem.keys[1]}"; keep one`;
    case 'says-nothing':
      return 'says nothing; give text, calls, error, or another content (an empty answer is "text": "")';
    case 'unreachable':
      return `is never given, because answers[${problem.by}] repeats and fits every request; move that one to the end or give it a "when"`;
  }
}

const expectedInChinese: Readonly<Record<Expected, string>> = {
  object: '必须是对象',
  list: '必须是列表',
  string: '必须是字符串',
  boolean: '必须是 true 或 false',
  count: '必须是不小于 0 的整数',
  'positive-count': '必须是不小于 1 的整数',
  'switch-or-count': '必须是 true、false 或事件个数（整数）',
  status: '必须是 200 到 599 之间的 HTTP 状态码',
  role: '必须是 "user" 或 "tool"',
  'event-text': '必须是字符串或字符串列表',
};

const chinese: Texts = {
  help: `在 127.0.0.1 上按脚本回答的模型，支持 OpenAI 和 Anthropic 两种格式。

用法：npm run scripted-model -- [选项]

  --script 文件   按这个 JSON 文件里的回答依次作答（不给则运行演示：
                  调用你点名的工具，并说明收到了什么）
  --port N        监听端口，0 表示任意空闲端口（默认 4010）
  --record 文件   把每个请求追加到这个文件，每行一个 JSON 对象
  --lenient       真实服务商会拒绝的请求也照常回答
  --help          显示本帮助

按 Ctrl+C 结束。退出码 2 表示无法启动。`,
  listening: (baseUrl) => `脚本模型已在 ${baseUrl} 监听（按 Ctrl+C 结束）。把下面任意一行放在命令前面：`,
  request: english.request,
  badArguments: (reason) => `参数无法使用：${reason}\n用 --help 查看选项。`,
  badPort: (port) => `--port ${port} 不是端口号：请给 0 到 65535 之间的整数。`,
  portTaken: (port) => `端口 ${port} 已被其他程序占用。请结束那个程序，或用 --port 换一个端口。`,
  cannotListen: (port, reason) => `无法监听端口 ${port}：${reason}`,
  cannotRead: (file, reason) => `无法读取脚本 ${file}：${reason}`,
  cannotRecord: (file, reason) => `无法把请求记录到 ${file}：${reason}`,
  badScript: (file, problems) =>
    [`脚本 ${file} 有 ${problems.length} 处错误：`]
      .concat(problems.map((problem) => `  ${problem.path || '文件'}：${problemInChinese(problem)}`))
      .join('\n'),
  demoReport: (messages, tools) =>
    `我收到了 ${messages} 条消息，${tools.length === 0 ? '没有工具' : `工具有：${tools.join('、')}`}。`,
  demoResult: (tool, result) => `${tool} 的结果是“${result}”。`,
};

function problemInChinese(problem: ScriptProblem): string {
  switch (problem.code) {
    case 'not-json':
      return `不是 JSON：${problem.reason}`;
    case 'wrong-type':
      return expectedInChinese[problem.expected];
    case 'unknown-key':
      return problem.nearest === undefined
        ? `未知的键；可用的键有 ${problem.known.join('、')}`
        : `未知的键；是不是想写 "${problem.nearest}"？`;
    case 'missing':
      return '缺少这一项';
    case 'empty-list':
      return '不能为空';
    case 'bad-pattern':
      return `不是正则表达式：${problem.reason}`;
    case 'exclusive':
      return `同时有 "${problem.keys[0]}" 和 "${problem.keys[1]}"，只能保留一个`;
    case 'says-nothing':
      return '没有内容；请给出 text、calls、error 等之一（空回答写作 "text": ""）';
    case 'unreachable':
      return `永远轮不到，因为 answers[${problem.by}] 会重复并且适合所有请求；请把它移到最后，或给它加上 "when"`;
  }
}
