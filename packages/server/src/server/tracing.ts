/**
 * Spans to an OTLP receiver, when the configuration names one. The SDK is not among our dependencies, because most servers
 * never need it: it is loaded when it is wanted, and its absence is said with what to install.
 */
import { createRequire } from 'node:module';
import { context, propagation, trace } from '@opentelemetry/api';
import { ServiceError } from 'carillon/internal/base';
import type { Config } from './config.ts';

export interface Tracing {
  /** Sends what is still here and lets go of the registration. */
  close(): Promise<void>;
}

const packages = ['@opentelemetry/sdk-trace-node', '@opentelemetry/exporter-trace-otlp-http'] as const;

/** Undefined when no endpoint is configured: then spans go to whatever SDK the process itself has registered, if any. */
export async function openTracing(config: Config['tracing']): Promise<Tracing | undefined> {
  const { endpoint, serviceName, sampleRatio } = config;
  if (endpoint === undefined) return undefined;
  const { sdk, otlp, resources } = await loadSdk();
  const provider = new sdk.NodeTracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': serviceName }),
    // Whoever calls us has decided for its own traces.
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [new sdk.BatchSpanProcessor(new otlp.OTLPTraceExporter({ url: tracesUrl(endpoint) }))],
  });
  provider.register();
  return {
    close: async () => {
      try {
        await provider.shutdown();
      } finally {
        trace.disable();
        context.disable();
        propagation.disable();
      }
    },
  };
}

/** The variable of the standard names the receiver; traces have their own path there. */
export function tracesUrl(endpoint: string): string {
  const trimmed = endpoint.replace(/\/+$/, '');
  return trimmed.endsWith('/v1/traces') ? trimmed : `${trimmed}/v1/traces`;
}

async function loadSdk() {
  try {
    const [sdk, otlp] = await Promise.all([
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ]);
    // Comes with the SDK, and is found where the SDK finds it.
    const here = createRequire(import.meta.url);
    const ofSdk = createRequire(here.resolve('@opentelemetry/sdk-trace-node'));
    const resources = ofSdk('@opentelemetry/resources') as typeof import('@opentelemetry/resources');
    return { sdk, otlp, resources };
  } catch (error) {
    throw new ServiceError({
      code: 'failedPrecondition',
      reason: 'TRACING_NOT_INSTALLED',
      message: `tracing.endpoint is set, but the OpenTelemetry SDK cannot be loaded: npm install ${packages.join(' ')}, or take the setting away (tracing.endpoint, OTEL_EXPORTER_OTLP_ENDPOINT)`,
      cause: error,
    });
  }
}
