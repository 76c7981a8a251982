// A real Temporal server on one SQLite file, for the tests that put it beside ours: one process, one shard, the
// newer of its two schedulers. It prints a line when it listens and goes on until it is killed, so that a test can
// kill it at any moment and start it again on the same file.
package main

import (
	"flag"
	"fmt"
	"net"
	"os"
	"time"

	"go.temporal.io/server/common/authorization"
	"go.temporal.io/server/common/cluster"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/dynamicconfig"
	"go.temporal.io/server/common/log"
	sqliteplugin "go.temporal.io/server/common/persistence/sql/sqlplugin/sqlite"
	"go.temporal.io/server/schema/sqlite"
	"go.temporal.io/server/temporal"
)

const host = "127.0.0.1"

func main() {
	file := flag.String("db", "", "SQLite file; created when it is absent")
	port := flag.Int("port", 0, "port of the frontend")
	httpPort := flag.Int("http-port", 0, "port of the HTTP API; 0: none")
	namespace := flag.String("namespace", "default", "namespace to create")
	newer := flag.Bool("chasm", true, "create schedules on the newer scheduler")
	flag.Parse()
	if err := serve(*file, ports{*port, *httpPort}, *namespace, *newer); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(file string, open ports, namespace string, newer bool) error {
	database := &config.SQL{
		PluginName:   sqliteplugin.PluginName,
		DatabaseName: file,
		ConnectAttributes: map[string]string{
			"mode":          "rwc",
			"_journal_mode": "wal",
			"_synchronous":  "1",
		},
	}
	if err := prepare(database, namespace); err != nil {
		return err
	}
	server, err := temporal.NewServer(
		temporal.WithConfig(oneProcess(database, open)),
		temporal.ForServices(temporal.DefaultServices),
		temporal.WithLogger(log.NewNoopLogger()),
		temporal.WithAuthorizer(authorization.NewNoopAuthorizer()),
		temporal.WithDynamicConfigClient(settings(newer)),
	)
	if err != nil {
		return err
	}
	if err := server.Start(); err != nil {
		return err
	}
	fmt.Printf("temporal listens on %s:%d\n", host, open.grpc)
	select {}
}

// prepare creates the tables of a new file and the namespace.
func prepare(database *config.SQL, namespace string) error {
	if _, err := os.Stat(database.DatabaseName); os.IsNotExist(err) {
		if err := sqlite.SetupSchema(database); err != nil {
			return err
		}
	}
	created, err := sqlite.NewNamespaceConfig("active", namespace, false, nil)
	if err != nil {
		return err
	}
	return sqlite.CreateNamespaces(database, created)
}

// settings: the newer scheduler, and search attributes that are known as soon as they were added.
func settings(newer bool) dynamicconfig.StaticClient {
	values := dynamicconfig.StaticClient{
		dynamicconfig.ForceSearchAttributesCacheRefreshOnRead.Key(): []dynamicconfig.ConstrainedValue{{Value: true}},
	}
	if newer {
		values[dynamicconfig.EnableCHASMSchedulerCreation.Key()] = []dynamicconfig.ConstrainedValue{{Value: true}}
		values[dynamicconfig.CHASMSchedulerCreationRolloutPercent.Key()] = []dynamicconfig.ConstrainedValue{{Value: 100}}
	}
	return values
}

// ports of the frontend, where clients connect.
type ports struct{ grpc, http int }

func oneProcess(database *config.SQL, open ports) *config.Config {
	address := fmt.Sprintf("%s:%d", host, open.grpc)
	frontend := onPort(open.grpc)
	frontend.RPC.HTTPPort = open.http
	disabled := "disabled"
	return &config.Config{
		Global: config.Global{
			Membership: config.Membership{MaxJoinDuration: 30 * time.Second, BroadcastAddress: host},
		},
		Persistence: config.Persistence{
			DefaultStore:     sqliteplugin.PluginName,
			VisibilityStore:  sqliteplugin.PluginName,
			NumHistoryShards: 1,
			DataStores:       map[string]config.DataStore{sqliteplugin.PluginName: {SQL: database}},
		},
		ClusterMetadata: &cluster.Config{
			FailoverVersionIncrement: 10,
			MasterClusterName:        "active",
			CurrentClusterName:       "active",
			ClusterInformation: map[string]cluster.ClusterInformation{
				"active": {Enabled: true, InitialFailoverVersion: 1, RPCAddress: address},
			},
		},
		DCRedirectionPolicy: config.DCRedirectionPolicy{Policy: "noop"},
		Services: map[string]config.Service{
			"frontend": frontend,
			"history":  onPort(freePort()),
			"matching": onPort(freePort()),
			"worker":   onPort(freePort()),
		},
		Archival: config.Archival{
			History:    config.HistoryArchival{State: disabled},
			Visibility: config.VisibilityArchival{State: disabled},
		},
		PublicClient: config.PublicClient{HostPort: address},
		NamespaceDefaults: config.NamespaceDefaults{
			Archival: config.ArchivalNamespaceDefaults{
				History:    config.HistoryArchivalNamespaceDefaults{State: disabled},
				Visibility: config.VisibilityArchivalNamespaceDefaults{State: disabled},
			},
		},
	}
}

func onPort(port int) config.Service {
	return config.Service{RPC: config.RPC{GRPCPort: port, MembershipPort: freePort(), BindOnIP: host}}
}

func freePort() int {
	listener, err := net.Listen("tcp", host+":0")
	if err != nil {
		panic(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}
