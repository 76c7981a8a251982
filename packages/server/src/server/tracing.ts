/**
 * Sends spans to an OTLP receiver when the configuration names one. The SDK is not a dependency, because most servers do not
 * need it. It is loaded on demand, and the error for a missing SDK names the packages to install.
 */
import { createRequire } from 'node:module';
import { context, propagation, trace } from '@opentelemetry/api';
import { ServiceError } from 'carillon/internal/base';
import type { Config } from './config.ts';

export interface Tracing {
  /** Sends the remaining spans and unregisters the SDK. */
  close(): Promise<void>;
}

const packages = ['@opentelemetry/sdk-trace-node', '@opentelemetry/exporter-trace-otlp-http'] as const;

/** Undefined when no endpoint is configured. Spans then go to the SDK that the process itself has registered, if any. */
export async function openTracing(config: Config['tracing']): Promise<Tracing | undefined> {
  const { endpoint, serviceName, sampleRatio } = config;
  if (endpoint === undefined) return undefined;
  const { sdk, otlp, resources } = await loadSdk();
  const provider = new sdk.NodeTracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': serviceName }),
    // A trace that the caller began keeps the caller's sampling decision.
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

/** The standard environment variable names the receiver; this adds the path for traces. */
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
    // The package comes with the SDK and is resolved from the SDK's location.
    const here = createRequire(import.meta.url);
    const ofSdk = createRequire(here.resolve('@opentelemetry/sdk-trace-node'));
    const resources = ofSdk('@opentelemetry/resources') as typeof import('@opentelemetry/resources');
    return { sdk, otlp, resources };
  } catch (error) {
    throw new ServiceError({
      code: 'failedPrecondition',
      reason: 'TRACING_NOT_INSTALLED',
      message: `tracing.endpoint is set, but the OpenTelemetry SDK cannot be loaded: npm install ${packages.join(' ')}, or remove the setting (tracing.endpoint, OTEL_EXPORTER_OTLP_ENDPOINT)`,
      cause: error,
    });
  }
}
