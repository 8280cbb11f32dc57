import type { Catalogue } from './catalogue.ts';

export const modelsTexts = {
  // Choosing a model
  'models.unknown-provider': {
    en: 'There is no model provider "{provider}". Known are {known}. For any other service that speaks OpenAI’s format set OPENAI_BASE_URL and name the model "openai-compatible/{model}".',
    zh: '没有名为“{provider}”的模型服务商。可用的有：{known}。其他兼容 OpenAI 接口的服务，请设置 OPENAI_BASE_URL，并把模型写成“openai-compatible/{model}”。',
  },
  'models.unknown-provider-near': {
    en: 'There is no model provider "{provider}"; did you mean "{near}"? Known are {known}. For any other service that speaks OpenAI’s format set OPENAI_BASE_URL and name the model "openai-compatible/{model}".',
    zh: '没有名为“{provider}”的模型服务商，是否想用“{near}”？可用的有：{known}。其他兼容 OpenAI 接口的服务，请设置 OPENAI_BASE_URL，并把模型写成“openai-compatible/{model}”。',
  },
  'models.bad-name': {
    en: 'The model name "{name}" lacks its provider. Write provider/model, such as "{example}"; known providers are {known}.',
    zh: '模型名“{name}”缺少服务商。请写成“服务商/模型”，例如“{example}”；可用的服务商有：{known}。',
  },
  'models.missing-model': {
    en: 'The name "{name}" says no model, and this provider has no usual one. Write "{name}/<model>".',
    zh: '“{name}”没有写明模型，而该服务商没有默认模型。请写成“{name}/<模型名>”。',
  },
  'models.missing-key': {
    en: 'The model {name} needs a key: set the environment variable {variable}.',
    zh: '使用模型 {name} 需要密钥：请设置环境变量 {variable}。',
  },
  'models.missing-base-url': {
    en: 'The model {name} needs the address of its service: set the environment variable {variable}, such as http://localhost:11434/v1.',
    zh: '使用模型 {name} 需要服务地址：请设置环境变量 {variable}，例如 http://localhost:11434/v1。',
  },
  'models.bad-base-url': {
    en: 'The environment variable {variable} is no usable address: it must be an http:// or https:// address without user name, password, "?" or "#", such as {example}.',
    zh: '环境变量 {variable} 不是可用的地址：应为 http:// 或 https:// 开头的地址，不含用户名、密码、“?”和“#”，例如 {example}。',
  },
  'models.bad-key': {
    en: 'The key in the environment variable {variable} has characters that no key has, such as blanks, line breaks or typographic quotation marks. Copy it again.',
    zh: '环境变量 {variable} 中的密钥含有密钥里不会出现的字符，例如空格、换行或中文引号。请重新复制。',
  },
  'models.package-missing': {
    en: 'The provider package {package} could not be loaded: {reason}. Install the dependencies again (npm ci).',
    zh: '无法加载模型服务商的包 {package}：{reason}。请重新安装依赖（npm ci）。',
  },

  // Why a model gave no answer
  'models.unauthorized': {
    en: 'The service of the model {name} refused the key ({status}); check the key and what it is allowed to use.',
    zh: '模型 {name} 的服务拒绝了密钥（{status}）；请检查密钥及其权限。',
  },
  'models.unknown-model': {
    en: 'The service does not know the model {name} ({status}); check the name of the model (BAIGONG_MODEL) and the address of the service.',
    zh: '服务端没有模型 {name}（{status}）；请检查模型名（BAIGONG_MODEL）和服务地址。',
  },
  'models.no-credit': {
    en: 'The account for the model {name} has no credit left; top it up or choose another model.',
    zh: '模型 {name} 所用账户的额度已用完；请充值或换用其他模型。',
  },
  'models.rate-limited': {
    en: 'The service of the model {name} takes no more requests for the moment ({status}); try again a little later.',
    zh: '模型 {name} 的服务暂时限流（{status}）；请稍后再试。',
  },
  'models.context-too-long': {
    en: 'The conversation is too long for the model {name}; start a new session or shorten the message.',
    zh: '对话内容超出模型 {name} 的长度上限；请开始新会话或缩短消息。',
  },
  'models.bad-request': {
    en: 'The service of the model {name} refused the request ({status}): {reason}',
    zh: '模型 {name} 的服务拒绝了请求（{status}）：{reason}',
  },
  'models.unsupported-request': {
    en: 'The model {name} cannot be asked this: {reason}',
    zh: '无法向模型 {name} 发出这样的请求：{reason}',
  },
  'models.server-error': {
    en: 'The service of the model {name} has a fault or is overloaded ({status}); try again a little later.',
    zh: '模型 {name} 的服务出错或过载（{status}）；请稍后再试。',
  },
  'models.no-connection': {
    en: 'The service of the model {name} cannot be reached ({host}); check the network and the address of the service.',
    zh: '无法连接模型 {name} 的服务（{host}）；请检查网络和服务地址。',
  },
  'models.time-out': {
    en: 'The model {name} did not answer in time; try again.',
    zh: '模型 {name} 未在时限内回答；请重试。',
  },
  'models.aborted': { en: 'The request to the model {name} was cancelled.', zh: '对模型 {name} 的请求已取消。' },
  'models.broken-answer': {
    en: 'The answer of the model {name} broke off or could not be read; try again.',
    zh: '模型 {name} 的回答中断或无法解析；请重试。',
  },
  'models.empty-answer': {
    en: 'The model {name} gave an empty answer; try again or put it differently.',
    zh: '模型 {name} 返回了空回答；请重试或换一种说法。',
  },
  'models.answer-cut-off': {
    en: 'The model {name} used up its length limit before it said anything; shorten the request or choose another model.',
    zh: '模型 {name} 在给出回答之前就达到了长度上限；请缩短请求或换用其他模型。',
  },
  'models.answer-withheld': {
    en: 'The service of the model {name} withheld the answer for its content; put it differently.',
    zh: '模型 {name} 的服务因内容审查没有给出回答；请换一种说法。',
  },
  'models.ignored-part': {
    en: 'A part of the model’s answer was left out because nothing here uses it: {kind}.',
    zh: '模型回答中的一部分在此处没有用途，已忽略：{kind}。',
  },

  // What a model is sent
  'models.empty-message': { en: '(an empty message)', zh: '（空消息）' },
  'models.left-out': {
    en: '[{part}: this model cannot look at it]',
    zh: '[{part}：该模型无法查看]',
  },
  'models.empty-result': { en: '(no output)', zh: '（无输出）' },
  'models.lost-result': {
    en: 'The result of {tool} was lost. It may or may not have had its effect.',
    zh: '{tool} 的结果已丢失，可能已生效，也可能没有。',
  },
  'models.lost-result-hint': {
    en: 'Check what happened before you call it again.',
    zh: '再次调用之前，请先核实是否已经生效。',
  },

  // The offline model
  'models.offline-about': {
    en: 'This is the offline model: no language model is configured, so I cannot understand free text. I can run tools when you call them directly.',
    zh: '我是离线模型：尚未配置语言模型，因此无法理解自然语言，但你可以直接调用工具。',
  },
  'models.offline-how': {
    en: 'To call a tool, write: /tool name key=value other="a longer value"',
    zh: '调用方法：/tool 工具名 参数=值 另一个参数="较长的值"',
  },
  'models.offline-tools': { en: 'Tools that I was given:', zh: '当前可用的工具：' },
  'models.offline-tool': { en: '- {name}: {summary}', zh: '- {name}：{summary}' },
  'models.offline-more-tools': { en: '… and {count} more', zh: '……另有 {count} 个' },
  'models.offline-no-tools': { en: 'I was given no tools here.', zh: '当前没有可用的工具。' },
  'models.offline-configure': {
    en: 'For real answers set a key in the environment ({variables}), and BAIGONG_MODEL=provider/model to choose the model.',
    zh: '要获得真正的回答，请在环境变量中设置密钥（{variables}），并可用 BAIGONG_MODEL=服务商/模型 指定模型。',
  },
  'models.offline-which-tool': {
    en: 'Which tool? The name is missing after /tool.',
    zh: '要调用哪个工具？/tool 后面缺少工具名。',
  },
  'models.offline-unknown-tool': { en: 'I was not given a tool named "{name}".', zh: '没有名为“{name}”的工具。' },
  'models.offline-near-tools': { en: 'Did you mean {names}?', zh: '是否想用 {names}？' },
  'models.offline-stray-value': {
    en: 'I do not know which parameter of {tool} "{value}" is for. Write it as name=value, with quotation marks around a value that has blanks.',
    zh: '不清楚“{value}”属于 {tool} 的哪个参数。请写成“参数名=值”，含空格的值请加引号。',
  },
  'models.offline-parameters': { en: 'Parameters of {tool}: {parameters}', zh: '{tool} 的参数：{parameters}' },
  'models.offline-no-parameters': { en: '{tool} takes no parameters.', zh: '{tool} 没有参数。' },
  'models.offline-required': { en: '{name} ({type}, required)', zh: '{name}（{type}，必填）' },
  'models.offline-optional': { en: '{name} ({type})', zh: '{name}（{type}）' },
  'models.offline-failed': { en: '{tool} failed: {message}', zh: '{tool} 执行失败：{message}' },
  'models.offline-result-of': { en: '{tool}:', zh: '{tool}：' },
} as const satisfies Catalogue;
