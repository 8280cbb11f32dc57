import type { Locale } from 'baigong';
import { approvalTexts } from './approval-texts.ts';

const catalogue = {
  ...approvalTexts,
  description: {
    en: 'Gives AI agents their crafts: tools as plain files, run only when allowed, recorded.',
    zh: '为 AI 智能体提供百工之技：工具即文件，获准才运行，全程留有记录。',
  },
  chatDescription: { en: 'talk to the agent of a project (default)', zh: '与项目中的智能体对话（默认命令）' },
  toolsDescription: { en: 'list, show and call tools', zh: '列出、查看和调用工具' },
  toolsListDescription: { en: 'list the tools of the project', zh: '列出项目中的工具' },
  toolsShowDescription: { en: 'show one tool as the model is told of it', zh: '查看某个工具（即模型所见）' },
  toolsCallDescription: {
    en: 'run one call through the whole dispatch and print its outcome',
    zh: '执行一次完整的工具调用并输出结果',
  },
  turnsDescription: { en: 'list turns and show their records', zh: '列出回合并查看其记录' },
  turnsListDescription: { en: 'list the newest turns', zh: '列出最近的回合' },
  turnsShowDescription: { en: 'show the record of a turn', zh: '查看某个回合的记录' },
  doctorDescription: { en: 'check the project, its state and the model', zh: '检查项目、状态目录与模型' },
  optionProject: { en: 'folder of the project (default: the current one)', zh: '项目目录（默认为当前目录）' },
  optionModel: { en: 'provider/model, or "offline"', zh: '服务商/模型，或 "offline"' },
  optionOutput: { en: 'text, json or stream-json', zh: 'text、json 或 stream-json' },
  optionLang: { en: 'language of system texts: en or zh', zh: '系统文本的语言：en 或 zh' },
  optionSet: {
    en: 'a value of the configuration, e.g. turn.maxSteps=5; may be given several times',
    zh: '设置一个配置值，例如 turn.maxSteps=5；可多次使用',
  },
  configDescription: { en: 'look at the configuration', zh: '查看配置' },
  configShowDescription: {
    en: 'print each value that counts, secrets masked',
    zh: '输出每个生效的配置值，密钥会被遮盖',
  },
  optionOrigin: { en: 'also print where each value comes from', zh: '同时输出每个值的来源' },
  argumentKey: { en: 'only this key and those below it', zh: '只显示该键及其下级' },
  configNoKey: {
    en: 'Nothing is set under {key}. "baigong config show" lists all keys that have a value.',
    zh: '{key} 下没有任何值。"baigong config show" 会列出所有有值的键。',
  },
  createDescription: { en: 'write a working file to start from, with its tests', zh: '生成可运行的起始文件及其测试' },
  createToolDescription: { en: 'a tool: tools/<name>/', zh: '工具：tools/<名称>/' },
  createPluginDescription: { en: 'a child plugin: plugins/<name>/', zh: '子插件：plugins/<名称>/' },
  argumentNewName: { en: 'name of the new folder', zh: '新文件夹的名称' },
  createBadName: {
    en: '"{name}" cannot be a name. Names match {pattern}.',
    zh: '"{name}" 不能作为名称。名称须匹配 {pattern}。',
  },
  createNoProject: {
    en: 'The folder {project} does not exist. Create it first, or name another one with --project.',
    zh: '文件夹 {project} 不存在。请先创建它，或用 --project 指定另一个。',
  },
  createExists: {
    en: '{folder} exists already; nothing was written. Choose another name, or remove it first.',
    zh: '{folder} 已存在，未写入任何内容。请换一个名称，或先将其移走。',
  },
  createNext: {
    en: 'Next: make it yours, then run its tests in the project: node --test {tests}',
    zh: '接下来：改成你需要的样子，然后在项目中运行测试：node --test {tests}',
  },
  reloaded: {
    en: 'Reloaded: generation {generation}, tools: {tools}.',
    zh: '已重新加载：第 {generation} 代，工具 {tools} 个。',
  },
  reloadRefused: {
    en: 'The change has faults ({count}); generation {generation} goes on serving:',
    zh: '改动有错误（{count} 处），第 {generation} 代继续服务：',
  },
  reloadMended: {
    en: 'The fault is gone: everything is as generation {generation} serves it.',
    zh: '错误已消除：内容与正在服务的第 {generation} 代一致。',
  },
  restartNeeded: {
    en: '{path} changed: restart to use what is new there.',
    zh: '{path} 已改变：需要重新启动才能生效。',
  },
  watchFailed: {
    en: 'Changes of files may go unseen: {reason}. Restart after changes, or raise the limits of the system (fs.inotify on Linux).',
    zh: '可能无法察觉文件改动：{reason}。请在改动后重新启动，或提高系统限制（Linux 上为 fs.inotify）。',
  },
  sessionReset: {
    en: 'The session begins anew; what its tools kept is forgotten.',
    zh: '会话已重新开始，工具保存的内容已清除。',
  },
  rowPlugin: { en: 'Plugin:', zh: '插件：' },
  rowOwner: { en: 'Private to:', zh: '私有于：' },
  rowKey: { en: 'Key:', zh: '键：' },
  rowSource: { en: 'Source:', zh: '来源：' },
  rowGeneration: { en: 'Generation:', zh: '代：' },
  rowTokens: { en: 'Tokens (about):', zh: 'Token（约）：' },
  rowUses: { en: 'Services:', zh: '服务：' },
  rowInline: {
    en: 'runs inside the host: only the waiting for it can be cut off',
    zh: '在宿主进程内运行：超时只能停止等待，无法终止代码',
  },
  optionPrompt: {
    en: 'answer one message and exit; piped input is added to it',
    zh: '回答一条消息后退出；管道输入会附加在消息之后',
  },
  optionSession: { en: 'name of the session to go on with or to begin', zh: '要继续或新建的会话名' },
  optionContinue: { en: 'go on with the newest session', zh: '继续最近的会话' },
  optionLimit: { en: 'how many', zh: '数量上限' },
  argumentName: { en: 'name of the tool', zh: '工具名' },
  argumentInput: {
    en: 'arguments as a JSON object, or - for standard input',
    zh: 'JSON 对象形式的参数，或 - 表示标准输入',
  },
  argumentTurn: { en: 'id of the turn, or "last"', zh: '回合 id，或 "last"' },
  banner: { en: '{project} · tools: {tools} · model: {model}', zh: '{project} · 工具 {tools} 个 · 模型 {model}' },
  bannerHelp: {
    en: 'Type a message. /help shows the commands, /exit leaves.',
    zh: '输入消息开始对话。/help 查看命令，/exit 退出。',
  },
  bannerOffline: {
    en: 'No model is configured: the offline model answers. It runs tools by "/tool name key=value".',
    zh: '尚未配置模型，由离线模型应答。它可以用 "/tool 工具名 键=值" 运行工具。',
  },
  help: {
    en: [
      '/tools            the tools of this project',
      '/session          the name of this session',
      '/reset            begin the session anew',
      '/approvals        what waits for a person',
      '/approve [code]   approve; /deny [code]: deny; /answer code text: answer',
      '/cancel           cancel what runs',
      '/help             this list',
      '/exit             leave (Ctrl-D too)',
      'Esc, Ctrl-C       cancel the answer; Ctrl-C twice: leave',
    ].join('\n'),
    zh: [
      '/tools            本项目的工具',
      '/session          当前会话名',
      '/reset            重新开始会话',
      '/approvals        等待人工答复的事项',
      '/approve [编号]   批准；/deny [编号]：拒绝；/answer 编号 文字：回答',
      '/cancel           取消正在进行的回合',
      '/help             显示本列表',
      '/exit             退出（Ctrl-D 亦可）',
      'Esc、Ctrl-C       取消当前回答；连按两次 Ctrl-C 退出',
    ].join('\n'),
  },
  helpOffline: {
    en: '/tool name key=value …   run a tool (offline model)',
    zh: '/tool 工具名 键=值 …      运行工具（离线模型）',
  },
  unknownCommand: {
    en: 'There is no command {command}. There are: {commands}',
    zh: '没有命令 {command}。可用的命令：{commands}',
  },
  sessionIs: {
    en: 'Session {session}. Go on later with --session {session}',
    zh: '会话 {session}。稍后可用 --session {session} 继续',
  },
  interruptHint: { en: 'Press Ctrl-C again to leave.', zh: '再按一次 Ctrl-C 退出。' },
  noTools: {
    en: 'The project has no tools. A tool is a file tools/<name>/index.ts',
    zh: '项目中没有工具。工具即文件 tools/<名称>/index.ts',
  },
  unknownWord: {
    en: 'There is no command "{word}". There are: {commands}',
    zh: '没有命令“{word}”。可用的命令：{commands}',
  },
  noTool: { en: 'There is no tool named {name}.', zh: '没有名为 {name} 的工具。' },
  noTurn: { en: 'There is no turn {id}.', zh: '没有回合 {id}。' },
  noSession: { en: 'There is no session to continue.', zh: '没有可以继续的会话。' },
  problemsFatal: { en: 'Faults in {project}: {count}', zh: '{project} 中有 {count} 处错误：' },
  problemsWarning: { en: 'Warnings: {count}', zh: '{count} 条警告：' },
  found: { en: 'found:', zh: '实际：' },
  expected: { en: 'expected:', zh: '应为：' },
  error: { en: 'error', zh: '错误' },
  warning: { en: 'warning', zh: '警告' },
  rowName: { en: 'name:', zh: '名称：' },
  rowFile: { en: 'file:', zh: '文件：' },
  rowVersion: { en: 'version:', zh: '版本：' },
  rowSummary: { en: 'summary:', zh: '摘要：' },
  rowDescription: { en: 'description:', zh: '说明：' },
  rowReturns: { en: 'returns:', zh: '返回：' },
  rowCategory: { en: 'category, tags:', zh: '分类与标签：' },
  rowExamples: { en: 'examples:', zh: '示例：' },
  rowHints: { en: 'hints:', zh: '提示（MCP）：' },
  rowHidden: { en: 'hidden:', zh: '隐藏：' },
  rowPlatforms: { en: 'platforms:', zh: '平台：' },
  rowScopes: { en: 'scopes:', zh: '场景：' },
  rowPermissions: { en: 'permissions:', zh: '权限：' },
  rowIsolation: { en: 'isolation:', zh: '隔离：' },
  rowApproval: { en: 'approval:', zh: '审批：' },
  rowLimits: { en: 'limits (time, characters):', zh: '限制（时间、字符数）：' },
  rowDigest: { en: 'digest:', zh: '摘要值：' },
  rowParameters: { en: 'parameters:', zh: '参数：' },
  rowResult: { en: 'result:', zh: '结果：' },
  turnUser: { en: 'user:', zh: '用户：' },
  turnAssistant: { en: 'assistant:', zh: '助手：' },
  turnRecord: { en: 'record', zh: '记录' },
  toolDone: { en: 'ok', zh: '完成' },
  pluginFailedLater: {
    en: 'The plugin {name} failed later: {reason}{place}',
    zh: '插件 {name} 后来出错：{reason}{place}',
  },
  toolFailedLater: {
    en: 'The tool {name} failed after its call: {reason}{place}',
    zh: '工具 {name} 在调用之后出错：{reason}{place}',
  },
  configFailedLater: {
    en: 'The configuration {name} failed later: {reason}{place}',
    zh: '配置文件 {name} 后来出错：{reason}{place}',
  },
  fault: { en: 'Baigong failed through a fault of its own: {reason}', zh: '百工内部出错：{reason}' },
  lineTooLong: {
    en: 'A line of more than {limit} characters was left out.',
    zh: '有一行超过 {limit} 个字符，已略过。',
  },
  sessionTwice: { en: 'Give --session or --continue, not both.', zh: '--session 与 --continue 不能同时使用。' },
  emptyPrompt: { en: 'The message is empty.', zh: '消息为空。' },
  doctorNode: { en: 'Node.js', zh: 'Node.js' },
  doctorProject: { en: 'project', zh: '项目' },
  doctorTools: { en: 'tools: {count}', zh: '{count} 个工具' },
  doctorFaults: { en: 'faults: {fatal}, warnings: {warnings}', zh: '{fatal} 处错误，{warnings} 条警告' },
  doctorModel: { en: 'model', zh: '模型' },
  doctorOffline: { en: 'offline (no key in the environment)', zh: '离线模型（环境中没有密钥）' },
  doctorState: { en: 'state', zh: '状态目录' },
  doctorStateNew: { en: '{folder} (will be made when it is needed)', zh: '{folder}（需要时创建）' },
  doctorNoFolder: { en: '{folder} is no folder', zh: '{folder} 不是文件夹' },
  doctorNotWritable: { en: '{parent} does not exist or cannot be written', zh: '{parent} 不存在或不可写' },
  doctorLocale: { en: 'language and time zone', zh: '语言与时区' },
} as const satisfies Readonly<Record<string, Readonly<Record<Locale, string>>>>;

export type CliTextKey = keyof typeof catalogue;

/** A text of the command line in the reader's language, its gaps filled. */
export function cliText(
  key: CliTextKey,
  locale: Locale,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return catalogue[key][locale].replace(/\{([a-zA-Z]+)\}/g, (gap, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : gap,
  );
}

/** Every text by key, for tests that compare the languages. */
export function cliTexts(): readonly (readonly [string, Readonly<Record<Locale, string>>])[] {
  return Object.entries(catalogue);
}
